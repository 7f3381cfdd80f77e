import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CaptureErrorCode } from '@capture/contract/errors';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import { htmlKey } from '@capture/storage/file-key';
import { afterAll } from '@jest/globals';
import { startTestGateway, startTestWorker } from '../../../test-gateway.ts';

/** Pages whose captures fail, by the end of their URL. */
const failures: Readonly<Record<string, CaptureErrorCode>> = {
  '/unreachable': 'NAVIGATION_FAILED',
  '/gone': 'HTTP_STATUS',
  '/slow': 'CAPTURE_TIMEOUT',
  '/without-selector': 'SELECTOR_NOT_FOUND',
};

/**
 * A gateway that listens, for the HTTP clients of other services, with an account on a plan without tight limits and a worker
 * that records its captures. All are closed after the tests of the file.
 */
export async function startCompatGateway() {
  const gateway = await startTestGateway();
  const captures: ClaimedCapture[] = [];
  const worker = startTestWorker(gateway, (capture) => {
    captures.push(capture);
    const code = failures[/\/[\w-]+$/.exec(capture.url)?.[0] ?? ''];
    return code === undefined ? 'completed' : { code, message: `The page ${capture.url} failed.` };
  });
  const server = createServer(gateway.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await worker.close();
    await gateway.close();
  });
  const latest = () => {
    const capture = captures.at(-1);
    if (!capture) throw new Error('no capture was taken');
    return capture;
  };
  return {
    gateway,
    key: await gateway.register('compat@example.com', 'business'),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    captures,
    /** The latest capture. */
    latest,
    /** The HTML that the latest capture submitted. */
    async latestHtml(): Promise<string> {
      const file = await gateway.storage.open(htmlKey(latest().id));
      if (!file) throw new Error('the capture has no submitted HTML');
      return text(file.stream);
    },
  };
}
