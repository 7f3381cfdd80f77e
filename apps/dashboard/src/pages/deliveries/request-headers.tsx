import { Text } from '@mantine/core';
import type { DeliveryWithAttempts } from '../../api/responses.ts';
import { CodeBlock } from '../../ui/code-block.tsx';

/** Shows the headers of the last attempt. Signatures are new for each attempt and not stored, so they are described. */
export function RequestHeaders({ delivery }: { delivery: DeliveryWithAttempts }) {
  const last = delivery.attempts.at(-1);
  const timestamp = last ? Math.floor(Date.parse(last.started_at) / 1_000) : '<seconds since 1970>';
  const lines = [
    `POST ${delivery.url}`,
    'content-type: application/json',
    'user-agent: Capture-Webhooks/1.0',
    `webhook-id: ${delivery.event_id}`,
    `webhook-timestamp: ${timestamp}`,
    'webhook-signature: v1,<HMAC-SHA256 of id.timestamp.body, base64>',
    'X-Service-Signature: <HMAC-SHA256 of the body, hex>',
  ];
  return (
    <>
      <CodeBlock code={lines.join('\n')} what="headers as text" title="HTTP/1.1" wrapped />
      <Text size="xs" c="dimmed" mt="xs">
        {last ? `As sent with attempt ${last.number}.` : 'As they will be sent.'} Signatures are computed for each
        attempt and not kept.
      </Text>
    </>
  );
}
