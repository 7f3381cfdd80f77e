import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const schemaPath = path.join(import.meta.dirname, '..', 'schema.prisma');

/** The schema in the engine's format. */
const schemaFiles = [{ path: schemaPath, content: readFileSync(schemaPath, 'utf8') }];

/** Prisma manages every table. */
export const noFilters = { externalTables: [], externalEnums: [] };

/**
 * Runs `use` with Prisma's schema engine as WebAssembly. Installing the native binary downloads it from a host that a closed
 * network blocks. The WebAssembly engine is part of a package and uses the same `_prisma_migrations` table, so that `prisma
 * migrate deploy` keeps working where it can be used.
 */
export async function withSchemaEngine<Result>(
  databaseUrl: string,
  use: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  // The engine never closes its connections, so they come from a pool that is closed here.
  const pool = new pg.Pool({ connectionString: databaseUrl });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
    const datamodels = schemaFiles.map((file) => [file.path, file.content]);
    engine ??= loadEngine();
    const { SchemaEngine } = await engine;
    return await use(await SchemaEngine.new({ datamodels }, () => {}, adapter));
  } finally {
    await pool.end();
  }
}

/** Returns the SQL that leads from an earlier schema, or from an empty database, to schema.prisma. */
export async function diffSchema(databaseUrl: string, earlier = ''): Promise<string> {
  const { stdout } = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: earlier.trim()
        ? { tag: 'schemaDatamodel', files: [{ path: 'earlier.prisma', content: earlier }] }
        : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: schemaFiles },
      script: true,
      shadowDatabaseUrl: null,
      exitCode: null,
      filters: noFilters,
    }),
  );
  return stdout ?? '';
}

/** The engine is loaded once: its functions work on the memory of the newest instance and would misread other values. */
let engine: ReturnType<typeof loadEngine> | undefined;

async function loadEngine() {
  // Without this registry a panic of the engine hides its message.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) },
  });
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const compiled = await WebAssembly.compile(readFileSync(path.join(folder, 'schema_engine_bg.wasm')));
  const instance = await WebAssembly.instantiate(compiled, { './schema_engine_bg.js': withoutLastingTimers(glue) });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  return glue;
}

/**
 * Replaces the engine's timers by timers that do not keep the process alive. The engine never clears the timer of its ten-second
 * lock limit, so every process that migrates would exit ten seconds late.
 */
function withoutLastingTimers(glue: Record<string, unknown>): Record<string, unknown> {
  const replaced = Object.keys(glue).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const unreferenced = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  return { ...glue, ...Object.fromEntries(replaced.map((name) => [name, unreferenced])) };
}
