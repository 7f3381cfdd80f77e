import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** CPU time of a renderer after which its page is no ordinary one, milliseconds: heavy pages of the corpus take one second. */
const busyAfterMs = 2_000;

/** The niceness of a busy renderer: beside one of the usual 0 it gets a tenth of a core. Alone it gets all of it. */
const niceness = 10;

/**
 * Lowers the priority of a renderer that has taken much CPU time, all threads of it: a page that computes without an end
 * must not slow down the captures of others. No later capture inherits this: a page is used again only while its renderer has
 * taken less.
 */
export function lowerPriority(pid: number, cpuMs: number): void {
  if (cpuMs < busyAfterMs) return;
  try {
    if (getPriority(pid) >= niceness) return;
    // Linux has a priority for each thread; threads that start later inherit that of their creator.
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness);
  } catch {
    // It has ended already.
  }
}
