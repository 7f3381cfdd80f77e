import type { InputOf, OutputOf, WorldScript } from '@capture/page-scripts/scripts';
import { ProtocolError } from 'puppeteer';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import type { MainDocument } from './page-activity.ts';
import { PageScriptError, ScriptWorld } from './script-world.ts';

export { PageScriptError, worldName } from './script-world.ts';

/** Limits of a script: milliseconds, and the words in which a failure names the script. */
interface ScriptLimits {
  what: string;
  limitMs: number;
  deadline: Deadline;
}

/**
 * Calls a script of `packages/page-scripts` in our world of the page's document.
 *
 * @throws {PageScriptError} when the script throws; see also `isDocumentGone`.
 */
export async function runInPage<Name extends WorldScript>(
  page: CapturePage,
  script: Name,
  input: InputOf<Name>,
  { what, limitMs, deadline }: ScriptLimits,
): Promise<OutputOf<Name>> {
  return page.step(what, limitMs, deadline, worldOf(page).call(script, input));
}

const worlds = new WeakMap<MainDocument, ScriptWorld>();

/** Returns our world in the current document; creates the world ahead of the first script. */
export function worldOf({ session, activity }: CapturePage): ScriptWorld {
  const { document, mainFrameId } = activity;
  if (!document || mainFrameId === null) throw new Error('there is no document yet');
  let world = worlds.get(document);
  if (!world) {
    world = new ScriptWorld(session, mainFrameId);
    worlds.set(document, world);
  }
  return world;
}

/** Whether a script failed because its document is gone: the page has navigated. */
export function isDocumentGone(error: unknown): boolean {
  return error instanceof ProtocolError;
}

/** Awaits a step that a page may break. The page is then rendered without the step. */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const prevented = error instanceof PageScriptError || (error instanceof BrowserProblem && error.kind === 'hung');
    if (!prevented && !isDocumentGone(error)) throw error;
    return null;
  }
}
