import { operatorKey } from '@capture/testing/platform';
import type { TestProcess } from '@capture/testing/processes';
import { readMetric } from '@capture/testing/read-metric';
import { waitUntil } from '@capture/testing/wait-until';
import type { CaseContext } from '../case.ts';
import { type ApiResponse, type Client, send } from '../harness/client.ts';
import type { Platform } from '../harness/platform.ts';
import type { CaptureWorker, Dispatcher, Gateway, WorkerOptions } from '../harness/services.ts';

/** A process and what it tells Prometheus. */
export interface Watched {
  process: TestProcess;
  /** One number, now: see `readMetric`. */
  metric(name: string, labels?: Record<string, string>): Promise<number | undefined>;
}

/** What an operator has before him, and the platform that it is about. */
export interface OperatorConsole {
  platform: Platform;
  gateway: Gateway & Watched;
  /** Of the largest plan. */
  client: Client;
  startWorker(options?: WorkerOptions): Promise<CaptureWorker & Watched>;
  startDispatcher(env?: Record<string, string>): Promise<Dispatcher & Watched>;
  /** Asks for a screenshot, asynchronously unless the options say otherwise. */
  ask(options: Record<string, unknown>): Promise<ApiResponse>;
  /** What the operator's interface responses. */
  // biome-ignore lint/suspicious/noExplicitAny: what a case reads of it is what it holds it to.
  operator(path: string): Promise<any>;
  /** Waits until the desk shows something; what it never shows is a fault of the case. */
  sees(what: string, look: () => Promise<boolean> | boolean): Promise<void>;
}

/** All that is told: the log line of a delivery is one that an operator looks for. */
const telling = { METRICS_PORT: '0', LOG_LEVEL: 'info' };

/** Longer than what is read every ten seconds, or is gone after fifteen, is stale, milliseconds. */
const patienceMs = 60_000;

export async function openOperatorConsole(
  platform: Platform,
  context: Pick<CaseContext, 'expect' | 'note'>,
  gatewayEnv: Record<string, string> = {},
): Promise<OperatorConsole> {
  const started = await platform.startGateway({ ...telling, ...gatewayEnv });
  const authorization = { Authorization: `Bearer ${operatorKey}` };
  const read = async (url: string) => {
    const response = await fetch(url, { headers: authorization });
    if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
    return response;
  };
  const watch = <Service extends { process: TestProcess }>(service: Service, url: string): Service & Watched => ({
    ...service,
    metric: async (name, labels) => readMetric(await (await read(`${url}/metrics`)).text(), name, labels),
  });
  const client = await platform.newClient('enterprise');
  return {
    platform,
    client,
    gateway: watch(started, started.url),
    async startWorker({ env, ...options } = {}) {
      const worker = await platform.startWorker({ ...options, env: { ...telling, ...env } });
      return watch(worker, await listenerOf(worker.process));
    },
    async startDispatcher(env) {
      const dispatcher = await platform.startDispatcher({ ...telling, ...env });
      return watch(dispatcher, await listenerOf(dispatcher.process));
    },
    ask: (options) =>
      send(started, client, '/api/v1/screenshot', { method: 'POST', body: { async: true, ...options } }),
    operator: async (path) => (await read(`${started.url}/api/operator${path}`)).json(),
    async sees(what, look) {
      try {
        await waitUntil(async () => Boolean(await look()), { what: what, timeoutMs: patienceMs });
        context.note(`it shows ${what}`);
      } catch (error) {
        context.expect(false, `it shows ${what}: ${(error as Error).message}`);
      }
    },
  };
}

/** Where a process tells how it is: it says so to whoever started it. */
async function listenerOf(process: TestProcess): Promise<string> {
  const told = /"type":"metrics","port":(\d+)/;
  const port = await waitUntil(() => told.exec(process.output())?.[1], { what: 'the port of a listener' });
  return `http://127.0.0.1:${port}`;
}
