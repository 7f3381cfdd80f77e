import { ProtocolError } from 'puppeteer';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import type { MainDocument } from './page-activity.ts';

/** The name that Chromium keeps our own world of a frame under; the same name gives the same world. */
export const worldName = 'capture';

/** The script that ran in the page threw. */
export class PageScriptError extends Error {
  override name = 'PageScriptError';
}

/**
 * Runs a function in the page's document, in a JavaScript world of our own: it sees the document, but nothing that the
 * page's scripts have put in place of `Promise`, `Array.prototype` or `requestAnimationFrame`.
 *
 * @param script a function that stands for itself: it is sent as text and sees nothing around it. It may return a
 *   promise, and takes and gives JSON.
 * @param limits.limitMs how long it may take, milliseconds.
 * @throws {PageScriptError} when it throws; see also `isDocumentGone`.
 */
export async function runInPage<Input, Output>(
  page: CapturePage,
  script: (input: Input) => Output | Promise<Output>,
  input: Input,
  limits: { what: string; limitMs: number; deadline: Deadline },
): Promise<Output> {
  return page.step(limits.what, limits.limitMs, limits.deadline, evaluate(page, script, input));
}

/** The worlds of the documents that had one. */
const worlds = new WeakMap<MainDocument, Promise<number>>();

/** Makes our world in the document that the page shows, ahead of the first script. */
export function prepareWorld({ session, activity }: CapturePage): Promise<number> {
  const { document, mainFrameId } = activity;
  if (!document || mainFrameId === null) throw new Error('there is no document yet');
  let world = worlds.get(document);
  if (!world) {
    const made = session.send('Page.createIsolatedWorld', { frameId: mainFrameId, worldName });
    world = made.then(({ executionContextId }) => executionContextId);
    // Whoever uses it is told.
    world.catch(() => undefined);
    worlds.set(document, world);
  }
  return world;
}

async function evaluate<Input, Output>(
  page: CapturePage,
  script: (input: Input) => Output | Promise<Output>,
  input: Input,
): Promise<Output> {
  const { result, exceptionDetails } = await page.session.send('Runtime.evaluate', {
    contextId: await prepareWorld(page),
    expression: `(${script})(${JSON.stringify(input)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) {
    throw new PageScriptError(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value as Output;
}

/** Whether a script failed because its document went away: the page leads on to another. */
export function isDocumentGone(error: unknown): boolean {
  return error instanceof ProtocolError;
}

/** Does a step that a page may hinder; one that hinders it is drawn as it is. */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const hindered = error instanceof PageScriptError || (error instanceof BrowserProblem && error.kind === 'hung');
    if (!hindered && !isDocumentGone(error)) throw error;
    return null;
  }
}
