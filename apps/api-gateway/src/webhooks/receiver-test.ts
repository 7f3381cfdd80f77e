import { sampleEvent } from '@capture/contract/events/sample-events';
import { deliveryHeaders } from '@capture/contract/forms/delivery-headers';
import type { ContractForm, EventName } from '@capture/contract/forms/forms';
import type { SignedDelivery } from '@capture/contract/forms/signatures';
import { databaseNow } from '@capture/database/database-clock';
import { newId } from '@capture/database/ids';
import type { HttpsSender } from '@capture/egress/https-sender';
import type { SendError } from '@capture/egress/send-error';
import type { KeyExchange } from '../http/exchange.ts';
import type { Admission } from '../limits/admission.ts';

export interface ReceiverTest {
  url: string;
  event: EventName;
  secrets: SignedDelivery['secrets'];
}

/** The result of a test, as the response has it. */
export interface TestResult {
  /** Whether the receiver responded with 2xx in time. */
  delivered: boolean;
  status: number | null;
  latency_ms: number;
  error: SendError | null;
}

export type TestReceiver = (exchange: KeyExchange, test: ReceiverTest) => Promise<TestResult>;

/**
 * Creates the function that sends a signed sample event like a real one and returns the receiver's response. Nothing is
 * stored. At most 5 tests of one account and 100 in total run at once in a gateway; further ones get 503 `OVERLOADED`,
 * with a retry time after which the running tests have ended.
 */
export function createReceiverTests({
  form,
  sender,
  admission,
}: {
  form: ContractForm;
  sender: HttpsSender;
  admission: Admission;
}): TestReceiver {
  async function send({ url, event: name, secrets }: ReceiverTest): Promise<TestResult> {
    const at = databaseNow();
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

  return (exchange, test) =>
    admission.run('receiverTest', exchange.caller.accountId, async () => {
      exchange.onlyWaits();
      const result = await send(test);
      // The log has only the host, because paths and queries of webhooks often contain a token.
      Object.assign(exchange.facts, {
        receiver: new URL(test.url).host,
        receiver_status: result.status,
        receiver_error: result.error,
      });
      return result;
    });
}
