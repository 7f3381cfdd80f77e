import { createRequire } from 'node:module';
import path from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ApiError } from '@capture/contract/errors';
import { jobs } from '@capture/queue/catalog';
import { openBullQueue } from '@capture/queue/job-queue';
import type { Redis } from 'ioredis';
import { BoardServer } from './board-server.ts';

/** The files of Bull Board's pages. */
const uiBasePath = path.dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

const queueNames = Object.values(jobs).map(({ queue }) => queue);

/** The queues as BullMQ has them, to be looked at. They carry ids and nothing else, so there is no secret in them. */
export class QueueBoard {
  readonly #redis: Redis;
  #opened: Promise<BoardServer> | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** @throws {ApiError} `OVERLOADED` while Redis is away. */
  async open(): Promise<BoardServer> {
    if (this.#redis.status !== 'ready') throw away();
    this.#opened ??= this.#open();
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  /**
   * What the board's page asks.
   *
   * @throws {ApiError} `NOT_FOUND`; `INVALID_REQUEST`; `OVERLOADED` while Redis is away.
   */
  async ask(path: string, query: Record<string, string>): Promise<unknown> {
    const board = await this.open();
    const answer = await board.answer(path, query).catch((error: unknown) => {
      if (this.#redis.status !== 'ready') throw away(error);
      if (error instanceof URIError) throw new ApiError('INVALID_REQUEST', 'The name of a queue is not valid.');
      throw error;
    });
    if (!answer || answer.status === 404) throw new ApiError('NOT_FOUND', 'The board has no such thing.');
    if (answer.status >= 400) throw new ApiError('INVALID_REQUEST', 'The board does not understand this.');
    return answer.body;
  }

  async #open(): Promise<BoardServer> {
    const queues = await Promise.all(queueNames.map((name) => openBullQueue(this.#redis, name)));
    const serverAdapter = new BoardServer();
    createBullBoard({
      // Its buttons are gone then; nothing would answer them anyway.
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

const away = (cause?: unknown) =>
  new ApiError('OVERLOADED', 'Redis cannot be asked just now.', {
    retryAfterS: 5,
    ...(cause !== undefined && { cause }),
  });
