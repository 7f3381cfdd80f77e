import { operatorKey } from '@capture/testing/processes/platform';
import type { TestProcess } from '@capture/testing/processes/processes';
import { readMetric } from '@capture/testing/read-metric';
import { waitUntil } from '@capture/testing/wait-until';
import type { CaseContext } from '../case.ts';
import { type ApiResponse, type Client, send } from '../harness/client.ts';
import type { Platform } from '../harness/platform.ts';
import type { CaptureWorker, Dispatcher, Gateway, WorkerOptions } from '../harness/services.ts';

/** A process and its Prometheus metrics. */
export interface Watched {
  process: TestProcess;
  /** Returns the current value, see `readMetric`. */
  metric(name: string, labels?: Record<string, string>): Promise<number | undefined>;
}

/** The tools with which an operator watches a platform. */
export interface OperatorConsole {
  platform: Platform;
  gateway: Gateway & Watched;
  /** A client on the largest plan. */
  client: Client;
  startWorker(options?: WorkerOptions): Promise<CaptureWorker & Watched>;
  startDispatcher(env?: Record<string, string>): Promise<Dispatcher & Watched>;
  /** Submits a screenshot, asynchronously by default. */
  submit(options: Record<string, unknown>): Promise<ApiResponse>;
  /** Reads a route of the operator API. */
  // biome-ignore lint/suspicious/noExplicitAny: each case checks the fields that it reads.
  get(path: string): Promise<any>;
  /** Waits until the console shows something. If it never does, the case has a fault. */
  sees(what: string, look: () => Promise<boolean> | boolean): Promise<void>;
  /** Waits until a metric exceeds a number. */
  seesOver(what: string, limit: number, metric: () => Promise<number | undefined>): Promise<void>;
  /** Waits for a line of a process's log that contains all these texts. */
  seesLine(what: string, service: { process: TestProcess }, ...texts: string[]): Promise<void>;
}

/** The services write metrics, and a log line for each delivery, which an operator reads. */
const observable = { METRICS_PORT: '0', LOG_LEVEL: 'info' };

/** Longer than the console's data is cached (10 s) and processes are listed after their end (15 s), milliseconds. */
const timeoutMs = 60_000;

export async function openOperatorConsole(
  platform: Platform,
  context: Pick<CaseContext, 'expect' | 'note'>,
  gatewayEnv: Record<string, string> = {},
): Promise<OperatorConsole> {
  const started = await platform.startGateway({ ...observable, ...gatewayEnv });
  const authorization = { Authorization: `Bearer ${operatorKey}` };
  const read = async (url: string) => {
    const response = await fetch(url, { headers: authorization });
    if (!response.ok) throw new Error(`${new URL(url).pathname} returned ${response.status}`);
    return response;
  };
  const watch = <Service extends { process: TestProcess }>(service: Service, url: string): Service & Watched => ({
    ...service,
    metric: async (name, labels) => readMetric(await (await read(`${url}/metrics`)).text(), name, labels),
  });
  const client = await platform.newClient('enterprise');
  const sees: OperatorConsole['sees'] = async (what, look) => {
    try {
      await waitUntil(async () => Boolean(await look()), { what, timeoutMs });
      context.note(`it shows ${what}`);
    } catch (error) {
      context.expect(false, `it shows ${what}: ${(error as Error).message}`);
    }
  };
  return {
    platform,
    client,
    gateway: watch(started, started.url),
    async startWorker({ env, ...options } = {}) {
      const worker = await platform.startWorker({ ...options, env: { ...observable, ...env } });
      return watch(worker, await waitForListener(worker.process));
    },
    async startDispatcher(env) {
      const dispatcher = await platform.startDispatcher({ ...observable, ...env });
      return watch(dispatcher, await waitForListener(dispatcher.process));
    },
    submit: (options) =>
      send(started, client, '/api/v1/screenshot', { method: 'POST', body: { async: true, ...options } }),
    get: async (path) => (await read(`${started.url}/api/operator${path}`)).json(),
    sees,
    seesOver: (what, limit, metric) => sees(what, async () => ((await metric()) ?? 0) > limit),
    seesLine: (what, { process }, ...texts) =>
      sees(what, () =>
        process
          .output()
          .split('\n')
          .some((line) => texts.every((text) => line.includes(text))),
      ),
  };
}

/** Returns the URL of a process's metrics, which the process reports to its parent. */
async function waitForListener(process: TestProcess): Promise<string> {
  const reported = /"type":"metrics","port":(\d+)/;
  const port = await waitUntil(() => reported.exec(process.output())?.[1], { what: 'the port of a listener' });
  return `http://127.0.0.1:${port}`;
}
