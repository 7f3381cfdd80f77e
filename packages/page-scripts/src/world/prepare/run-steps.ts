import { scripts } from '../state/page-state.ts';

/** Runs scripts of steps, in order. A script that a page prevents does not stop the scripts after it. */
export async function runSteps(names: string[]): Promise<void> {
  for (const name of names) {
    try {
      await scripts[name]?.(null);
    } catch {
      // The page is captured without the step.
    }
  }
}
