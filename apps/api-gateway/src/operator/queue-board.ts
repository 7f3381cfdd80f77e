import { createRequire } from 'node:module';
import path from 'node:path';
import { ApiError } from '@capture/contract/errors';
import { jobs } from '@capture/queue/catalog';
import { openBullQueue } from '@capture/queue/job-queue';
import type { Redis } from 'ioredis';
import { BoardServer } from './board-server.ts';

/** The folder of Bull Board's UI. */
const uiBasePath = path.dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

const queueNames = Object.values(jobs).map(({ queue }) => queue);

/** A read-only view of BullMQ's queues. Jobs contain only ids, so no secrets are shown. */
export class QueueBoard {
  readonly #redis: Redis;
  #opened: Promise<BoardServer> | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** @throws {ApiError} `OVERLOADED` while Redis is unavailable. */
  async open(): Promise<BoardServer> {
    if (this.#redis.status !== 'ready') throw unavailable();
    this.#opened ??= this.#open();
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  /**
   * Handles a request of the board's page.
   *
   * @throws {ApiError} `NOT_FOUND`; `INVALID_REQUEST`; `OVERLOADED` while Redis is unavailable.
   */
  async handle(path: string, query: Record<string, string>): Promise<unknown> {
    const board = await this.open();
    const response = await board.handle(path, query).catch((error: unknown) => {
      if (this.#redis.status !== 'ready') throw unavailable(error);
      if (error instanceof URIError) throw new ApiError('INVALID_REQUEST', 'The queue name is invalid.');
      throw error;
    });
    if (!response || response.status === 404)
      throw new ApiError('NOT_FOUND', 'The queue board has no page at this path.');
    if (response.status >= 400) throw new ApiError('INVALID_REQUEST', 'The queue board rejected the request.');
    return response.body;
  }

  async #open(): Promise<BoardServer> {
    // Bull Board loads with the first page: it loads a second BullMQ, which would take a seventh of the gateway's start.
    const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
      import('@bull-board/api'),
      import('@bull-board/api/bullMQAdapter'),
    ]);
    const queues = await Promise.all(queueNames.map((name) => openBullQueue(this.#redis, name)));
    const serverAdapter = new BoardServer();
    createBullBoard({
      // The board hides its buttons, because no route would accept their requests.
      queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
      serverAdapter,
      options: {
        uiBasePath,
        uiConfig: {
          boardTitle: 'Queues',
          hideDocsLink: true,
          miscLinks: [{ text: 'Back to the dashboard', url: '/dashboard/operator/queues' }],
          locale: { lng: 'en-US' },
        },
      },
    });
    return serverAdapter;
  }
}

const unavailable = (cause?: unknown) =>
  new ApiError('OVERLOADED', 'Redis is unavailable.', {
    retryAfterS: 5,
    ...(cause !== undefined && { cause }),
  });
