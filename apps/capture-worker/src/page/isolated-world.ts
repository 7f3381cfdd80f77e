import { ProtocolError } from 'puppeteer';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import type { MainDocument } from './page-activity.ts';

/** The name of our JavaScript world in each frame; the same name gives the same world. */
export const worldName = 'capture';

/** A script that ran in the page has thrown. */
export class PageScriptError extends Error {
  override name = 'PageScriptError';
}

/**
 * Runs a function in the page's document, in our own JavaScript world: it sees the document, but no `Promise`,
 * `Array.prototype` or `requestAnimationFrame` that the page's scripts have replaced.
 *
 * @param script a self-contained function: it is sent as text, so it sees nothing of its module. Its input and result are
 *   JSON; it may return a promise.
 * @param limits.limitMs time limit, milliseconds.
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

/** The world of each document that has one. */
const worlds = new WeakMap<MainDocument, Promise<number>>();

/** Creates our world in the current document, ahead of the first script. */
export function prepareWorld({ session, activity }: CapturePage): Promise<number> {
  const { document, mainFrameId } = activity;
  if (!document || mainFrameId === null) throw new Error('there is no document yet');
  let world = worlds.get(document);
  if (!world) {
    const creating = session.send('Page.createIsolatedWorld', { frameId: mainFrameId, worldName });
    world = creating.then(({ executionContextId }) => executionContextId);
    // A rejection is handled where the world is used.
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

/** Whether a script failed because its document is gone: the page has navigated. */
export function isDocumentGone(error: unknown): boolean {
  return error instanceof ProtocolError;
}

/** Awaits a step that a page may prevent. If it does, the page is rendered as it is. */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const prevented = error instanceof PageScriptError || (error instanceof BrowserProblem && error.kind === 'hung');
    if (!prevented && !isDocumentGone(error)) throw error;
    return null;
  }
}
