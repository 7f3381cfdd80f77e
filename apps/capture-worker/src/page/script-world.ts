import { callOf, type InputOf, methodOf, type OutputOf, roomOf, type WorldScript } from '@capture/page-scripts/scripts';
import type { CDPSession } from 'puppeteer';

/** The name of our JavaScript world in each frame; the same name gives the same world in one session. */
export const worldName = 'capture';

/** A script that ran in a page has thrown. */
export class PageScriptError extends Error {
  override name = 'PageScriptError';
}

/**
 * Our JavaScript world in one document of one frame: its scripts see the document, but no `Promise`, `Array.prototype` or
 * `requestAnimationFrame` that the page's scripts have replaced. The first call of a script installs its whole room.
 */
export class ScriptWorld {
  readonly #session: CDPSession;
  readonly #contextId: Promise<number>;

  /** Creates the world in the current document of a frame, or finds the world that this session has there. */
  constructor(session: CDPSession, frameId: string, name = worldName) {
    this.#session = session;
    const creating = session.send('Page.createIsolatedWorld', { frameId, worldName: name });
    this.#contextId = creating.then(({ executionContextId }) => executionContextId);
    // The code that uses the world handles a rejection.
    this.#contextId.catch(() => undefined);
  }

  get contextId(): Promise<number> {
    return this.#contextId;
  }

  /**
   * Calls a script by its name.
   *
   * @throws {PageScriptError} when the script throws.
   * @throws {ProtocolError} when the document is gone.
   */
  async call<Name extends WorldScript>(script: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const contextId = await this.#contextId;
    this.#install(contextId, script);
    return (await this.evaluate(callOf(script, input))) as OutputOf<Name>;
  }

  /** Calls a script with an object of this world, such as an element, and a value. */
  async callOn(script: WorldScript, objectId: string, value?: unknown): Promise<unknown> {
    this.#install(await this.#contextId, script);
    const { result } = await this.#session.send('Runtime.callFunctionOn', {
      functionDeclaration: methodOf(script),
      objectId,
      arguments: [{ value }],
      returnByValue: true,
    });
    return result.value;
  }

  /** Evaluates an expression, such as the script of a library. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      contextId: await this.#contextId,
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      throw new PageScriptError(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Chromium runs the calls of a session in order, so this call is not awaited. If it fails, the next call fails, too. */
  #install(contextId: number, script: WorldScript): void {
    const { name, text } = roomOf(script);
    const rooms = installedIn(this.#session, contextId);
    if (rooms.has(name)) return;
    rooms.add(name);
    const expression = `${text} undefined`;
    this.#session.send('Runtime.evaluate', { contextId, expression, silent: true }).catch(() => undefined);
  }
}

/** The installed rooms of each world, by session and context: another `ScriptWorld` may be the same world. */
const installed = new WeakMap<CDPSession, Map<number, Set<string>>>();

function installedIn(session: CDPSession, contextId: number): Set<string> {
  const worlds = installed.get(session) ?? new Map<number, Set<string>>();
  installed.set(session, worlds);
  const rooms = worlds.get(contextId) ?? new Set<string>();
  worlds.set(contextId, rooms);
  return rooms;
}
