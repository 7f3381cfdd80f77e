import { ApiError } from '@capture/contract/errors';
import { sampleEvent } from '@capture/contract/events/sample-events';
import { deliveryHeaders } from '@capture/contract/forms/delivery-headers';
import type { ContractForm, EventName } from '@capture/contract/forms/forms';
import type { SignedDelivery } from '@capture/contract/forms/signatures';
import { newId } from '@capture/database/ids';
import type { HttpsSender } from '@capture/egress/https-sender';
import type { SendError } from '@capture/egress/send-error';
import type { KeyExchange } from '../http/exchange.ts';

/**
 * Tests at once in this gateway: each may hold a connection for as long as the receiver's time-out, so that without a
 * bound somebody with a hanging receiver and many requests would use up the gateway's.
 */
const atOnce = 100;
const atOncePerAccount = 5;

export interface ReceiverTest {
  url: string;
  event: EventName;
  secrets: SignedDelivery['secrets'];
}

/** What a test answers with. */
export interface TestResult {
  /** Whether it was answered with 2xx in time. */
  delivered: boolean;
  status: number | null;
  latency_ms: number;
  error: SendError | null;
}

export type TestReceiver = (exchange: KeyExchange, test: ReceiverTest) => Promise<TestResult>;

/**
 * Makes what sends one signed sample event, just as a real one is sent, and tells how the receiver took it. Nothing is
 * stored. At most 5 tests of one account and 100 of all run at once in a gateway; more are 503 `OVERLOADED`, to come again
 * when those have ended for certain.
 */
export function createReceiverTests({ form, sender }: { form: ContractForm; sender: HttpsSender }): TestReceiver {
  const running = new Map<string, number>();
  let all = 0;

  async function send({ url, event: name, secrets }: ReceiverTest): Promise<TestResult> {
    const at = new Date();
    const { body } = sampleEvent(form, name, at);
    const headers = deliveryHeaders(form, { eventId: newId('evt', at), body, at, secrets });
    const result = await sender.send({ url, headers, body, timeoutMs: form.delivery.timeoutMs });
    return {
      delivered: result.error === null,
      status: result.status,
      latency_ms: result.durationMs,
      error: result.error,
    };
  }

  return async ({ caller: { accountId }, facts }, test) => {
    const own = running.get(accountId) ?? 0;
    if (own >= atOncePerAccount || all >= atOnce) {
      throw new ApiError('OVERLOADED', 'Too many connectivity tests run at this moment. Try again later.', {
        retryAfterS: Math.ceil(form.delivery.timeoutMs / 1_000),
      });
    }
    running.set(accountId, own + 1);
    all += 1;
    try {
      const result = await send(test);
      // The host alone: paths and queries of webhooks often hold a token.
      Object.assign(facts, {
        receiver: new URL(test.url).host,
        receiver_status: result.status,
        receiver_error: result.error,
      });
      return result;
    } finally {
      all -= 1;
      const left = (running.get(accountId) ?? 1) - 1;
      if (left === 0) running.delete(accountId);
      else running.set(accountId, left);
    }
  };
}
