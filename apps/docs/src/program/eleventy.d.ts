/** The parts of Eleventy that the build uses; the package has no types. */
declare module '@11ty/eleventy' {
  type Template<Data> = (data: Data) => string;

  export interface Configuration {
    addExtension(
      name: string,
      handler: { compile(content: string, file: string): (data: object) => string; outputFileExtension: string },
    ): void;
    addGlobalData(name: string, value: unknown): void;
    /** Globs of files that Eleventy does not read. */
    ignores: Set<string>;
    addTemplate<Data>(file: string, render: Template<Data>, data: object): void;
    setUseGitIgnore(use: boolean): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath?: null; config(configuration: Configuration): void },
    );
    write(): Promise<unknown>;
  }
}
