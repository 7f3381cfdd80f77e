import type { AppControllerRoute, BullBoardQueues, IServerAdapter, UIConfig } from '@bull-board/api/typings/app';

/** Keeps Bull Board's configuration for the gateway to serve. Accepts only reading routes: the board changes no queue. */
export class BoardServer implements IServerAdapter {
  #queues: BullBoardQueues = new Map();
  #config: UIConfig = {};
  #folder = '';
  #calls: { pattern: RegExp; handler: AppControllerRoute['handler'] }[] = [];

  /** Texts and settings of the board's page. */
  get config(): UIConfig {
    return this.#config;
  }

  /** The folder of the files that the page loads. */
  get folder(): string {
    return this.#folder;
  }

  /**
   * Handles a `GET` request.
   *
   * @param path such as `/api/queues`.
   * @returns null for an unknown path.
   */
  async handle(path: string, query: Record<string, string>): Promise<{ status: number; body: unknown } | null> {
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
      .map(({ route, handler }) => ({ pattern: toPattern(String(route)), handler }));
    return this;
  }

  /** Ignored: Bull Board's page loads fonts from another host and contains inline styles. */
  setViewsPath(): this {
    return this;
  }

  setEntryRoute(): this {
    return this;
  }

  /** Ignored: the gateway sends its error body. */
  setErrorHandler(): this {
    return this;
  }
}

/** Converts a path in Express syntax into a pattern. */
function toPattern(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
