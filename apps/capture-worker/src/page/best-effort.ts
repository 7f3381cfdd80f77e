import { BrowserProblem } from '../capture-failure.ts';
import { isDocumentGone, PageScriptError } from './isolated-world.ts';

/** Does a step that a page may hinder; one that hinders it is drawn as it is. */
export async function bestEffort(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const hindered = error instanceof PageScriptError || (error instanceof BrowserProblem && error.kind === 'hung');
    if (!hindered && !isDocumentGone(error)) throw error;
  }
}
