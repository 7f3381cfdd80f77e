// The package has no types for its WebAssembly glue. These are the parts that schema-engine.ts uses.
declare module '@prisma/schema-engine-wasm/schema_engine_bg' {
  interface MigrationsList {
    baseDir: string;
    lockfile: { path: string; content: string };
    shadowDbInitScript: string;
    migrationDirectories: { path: string; migrationFile: { path: string; content: { tag: 'ok'; value: string } } }[];
  }
  interface Filters {
    externalTables: string[];
    externalEnums: string[];
  }
  export class SchemaEngine {
    static new(
      options: { datamodels: string[][] },
      log: (line: string) => void,
      adapter: unknown,
    ): Promise<SchemaEngine>;
    applyMigrations(input: { migrationsList: MigrationsList; filters: Filters }): Promise<{
      appliedMigrationNames: string[];
    }>;
    diagnoseMigrationHistory(input: {
      migrationsList: MigrationsList;
      filters: Filters;
      optInToShadowDatabase: boolean;
    }): Promise<{ history: object | null; editedMigrationNames: string[]; failedMigrationNames: string[] }>;
    diff(input: object): Promise<{ stdout: string | null; exitCode: number }>;
  }
  export function __wbg_set_wasm(exports: Record<string, unknown>): void;
}

// Node has this global, but @types/node 20 does not declare it, and the DOM's library would declare far too much.
declare namespace WebAssembly {
  type Exports = Record<string, unknown>;
  interface Module {
    readonly module: unique symbol;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Record<string, unknown>): Promise<{ exports: Exports }>;
}
