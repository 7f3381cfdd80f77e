import { BrowserProblem } from '../capture-failure.ts';
import { TimeLimitError } from '../deadline.ts';
import { isDocumentGone, PageScriptError } from '../page/isolated-world.ts';

/**
 * For `catch`: cleaning that takes too long, whose document went away, or that a page's own elements brought to fall, is
 * left at what it has done. All else ends the
 * capture.
 */
export function leaveUnfinished(error: unknown): null {
  if (error instanceof TimeLimitError || error instanceof PageScriptError || isDocumentGone(error)) return null;
  if (error instanceof BrowserProblem && error.kind === 'hung') return null;
  throw error;
}
