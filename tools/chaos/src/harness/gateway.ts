import { randomBytes } from 'node:crypto';
import { findOwnPort } from '@capture/testing/own-port';
import { startService, type TestProcess } from '@capture/testing/processes';

/** An `api-gateway`, a process of its own. */
export interface Gateway {
  process: TestProcess;
  /** Where it listens: `http://127.0.0.1:…`, without a slash at the end. */
  url: string;
  operatorKey: string;
}

export async function startGateway(environment: Record<string, string>, checkout: string): Promise<Gateway> {
  const port = await findOwnPort();
  const operatorKey = randomBytes(24).toString('hex');
  const own = { PORT: String(port), OPERATOR_KEY: operatorKey, REGISTRATIONS_PER_HOUR: '1000000' };
  const process = await startService('api-gateway', { ...environment, ...own }, checkout);
  return { process, url: `http://127.0.0.1:${port}`, operatorKey };
}
