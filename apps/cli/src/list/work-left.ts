import type { ListFolder } from './folder.ts';
import type { Item } from './item.ts';

/** How a list stands before a run. */
export interface WorkLeft {
  todo: Item[];
  completed: number;
  /** Failed in an earlier run, and not to be tried again in this one. */
  failed: number;
}

/** Tells what is to be done from what earlier runs did; a file that is gone, or is not what it was, is to be made again. */
export async function findWorkLeft(
  folder: ListFolder,
  items: readonly Item[],
  { retryFailed, verify }: { retryFailed: boolean; verify: boolean },
): Promise<WorkLeft> {
  const work: WorkLeft = { todo: [], completed: 0, failed: 0 };
  for (const item of items) {
    const outcome = folder.outcomeOf(item.key);
    if (!outcome || (outcome.status === 'failed' && retryFailed)) work.todo.push(item);
    else if (outcome.status === 'failed') work.failed += 1;
    else if (await folder.hasFile(outcome, verify)) work.completed += 1;
    else work.todo.push(item);
  }
  return work;
}
