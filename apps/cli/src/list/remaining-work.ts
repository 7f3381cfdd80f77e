import type { ListFolder } from './folder.ts';
import type { Item } from './item.ts';

/** The state of a list before a run. */
export interface RemainingWork {
  todo: Item[];
  completed: number;
  /** Captures that failed in an earlier run and are not retried. */
  failed: number;
}

/** Finds the work that earlier runs left. Captures whose file is missing or changed are captured again. */
export async function findRemainingWork(
  folder: ListFolder,
  items: readonly Item[],
  { retryFailed, verify }: { retryFailed: boolean; verify: boolean },
): Promise<RemainingWork> {
  const work: RemainingWork = { todo: [], completed: 0, failed: 0 };
  for (const item of items) {
    const outcome = folder.outcomeOf(item.key);
    if (!outcome || (outcome.status === 'failed' && retryFailed)) work.todo.push(item);
    else if (outcome.status === 'failed') work.failed += 1;
    else if (await folder.hasFiles(outcome, verify)) work.completed += 1;
    else work.todo.push(item);
  }
  return work;
}
