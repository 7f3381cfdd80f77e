import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A folder with an empty file `<port>-<pid>` for each port on which a process of the platform listens. The system chooses most of
 * these ports (metrics, a proxy for each page), so no setting names them, and a page may try a port as soon as it is open.
 */
const folder = path.join(tmpdir(), `capture-ports-${process.getuid?.() ?? 0}`);

/** The ports of this process, which count even if the folder cannot be written. */
const ownPorts = new Set<number>();

/**
 * Closes a port of this process to pages and webhooks, unless an allow entry names the port.
 *
 * @returns a function to call when the process no longer listens. The file of a killed process is ignored.
 */
export function announceListening(port: number): () => void {
  const file = path.join(folder, `${port}-${process.pid}`);
  const isFirst = ownPorts.size === 0;
  ownPorts.add(port);
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, '');
    if (isFirst) removeOldFiles();
  });
  return () => {
    ownPorts.delete(port);
    attempt(() => rmSync(file, { force: true }));
  };
}

/** Whether a process of the platform listens on this port of this machine. */
export function isListening(port: number): boolean {
  return ownPorts.has(port) || announced().some((each) => each.port === port && isAlive(each.pid));
}

function announced(): { name: string; port: number; pid: number }[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.map((name) => {
    const [port = 0, pid = 0] = name.split('-').map(Number);
    return { name, port, pid };
  });
}

function removeOldFiles(): void {
  for (const { name, pid } of announced()) if (!isAlive(pid)) rmSync(path.join(folder, name), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ignores errors: the folder may be read-only or belong to another account. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
