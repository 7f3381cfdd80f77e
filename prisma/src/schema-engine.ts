import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const schemaPath = path.join(import.meta.dirname, '..', 'schema.prisma');

/** The schema as the engine takes it. */
export const schemaFiles = [{ path: schemaPath, content: readFileSync(schemaPath, 'utf8') }];

/** No table is outside Prisma's care. */
export const noFilters = { externalTables: [], externalEnums: [] };

/**
 * Runs `use` with Prisma's schema engine as WebAssembly. Its native binary is downloaded at install time from a host that
 * a closed network refuses; this one is part of a package, does the same and writes the same `_prisma_migrations` table,
 * so that `prisma migrate deploy` goes on working where it can be used.
 */
export async function withSchemaEngine<Result>(
  databaseUrl: string,
  use: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  // The engine keeps its connections for as long as it lives and has no way to close them; so they are of our own pool.
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

/**
 * Loaded once a process: the package's functions work on the memory of the newest instance, and would take another's
 * values for theirs.
 */
let engine: ReturnType<typeof loadEngine> | undefined;

async function loadEngine() {
  // Without this registry a panic of the engine hides its own message.
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
 * The engine's functions for timers with ones that keep no process alive: after its ten seconds' limit for a lock it
 * never clears the timer, and every process that migrates would end ten seconds late.
 */
function withoutLastingTimers(glue: Record<string, unknown>): Record<string, unknown> {
  const replaced = Object.keys(glue).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const unreferenced = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  return { ...glue, ...Object.fromEntries(replaced.map((name) => [name, unreferenced])) };
}
