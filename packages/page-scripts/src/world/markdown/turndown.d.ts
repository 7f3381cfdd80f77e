/** The packages ship no types. */
declare module 'turndown' {
  export default class Turndown {
    constructor(options: Record<string, string>);
    use(plugin: (service: Turndown) => void): this;
    addRule(name: string, rule: import('./rules.ts').MarkdownRule): this;
    escape(text: string): string;
    turndown(root: Node): string;
  }
}

declare module '@joplin/turndown-plugin-gfm' {
  export function gfm(service: import('turndown').default): void;
}
