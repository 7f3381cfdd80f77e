import { scripts } from '../state/page-state.ts';

/** Runs scripts of steps in order. If the page breaks a script, the next scripts still run. */
export async function runSteps(names: string[]): Promise<void> {
  for (const name of names) {
    try {
      await scripts[name]?.(null);
    } catch {
      // The page is captured without this step.
    }
  }
}
