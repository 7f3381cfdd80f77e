import type { AppControllerRoute, BullBoardQueues, IServerAdapter, UIConfig } from '@bull-board/api/typings/app';

/**
 * What Bull Board takes for a server: keeps what it is told, for our own routes to serve. Of its API it takes what reads,
 * so that nothing on this board can change a queue.
 */
export class BoardServer implements IServerAdapter {
  #queues: BullBoardQueues = new Map();
  #config: UIConfig = {};
  #folder = '';
  #calls: { pattern: RegExp; handler: AppControllerRoute['handler'] }[] = [];

  /** What the board's page is told: texts and settings of its own. */
  get config(): UIConfig {
    return this.#config;
  }

  /** Where the files are that the page loads. */
  get folder(): string {
    return this.#folder;
  }

  /**
   * Answers a `GET`.
   *
   * @param path such as `/api/queues`.
   * @returns null if there is nothing at this path.
   */
  async answer(path: string, query: Record<string, string>): Promise<{ status: number; body: unknown } | null> {
    for (const { pattern, handler } of this.#calls) {
      const match = pattern.exec(path);
      if (!match) continue;
      const request = { queues: this.#queues, uiConfig: this.#config, query, params: { ...match.groups } };
      const { status = 200, body } = await handler({ ...request, body: {}, headers: {} });
      return { status, body };
    }
    return null;
  }

  setQueues(queues: BullBoardQueues): this {
    this.#queues = queues;
    return this;
  }

  setUIConfig(config: UIConfig): this {
    this.#config = config;
    return this;
  }

  setStaticPath(_route: string, folder: string): this {
    this.#folder = folder;
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    this.#calls = routes
      .filter(({ method }) => method === 'get')
      .map(({ route, handler }) => ({ pattern: patternOf(String(route)), handler }));
    return this;
  }

  /** The page is our own: theirs loads fonts from another host, and has styles in it. */
  setViewsPath(): this {
    return this;
  }

  setEntryRoute(): this {
    return this;
  }

  /** What goes wrong is told in the one error body. */
  setErrorHandler(): this {
    return this;
  }
}

/** What a path in Express' syntax matches. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
