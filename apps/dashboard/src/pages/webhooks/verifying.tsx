import { Anchor, Code, List, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Surface } from '../../ui/surface.tsx';

const receiver = `import { createHmac, timingSafeEqual } from 'node:crypto';

// over the raw bytes of the body, before anything parses them
const expected = createHmac('sha256', process.env.SIGNING_SECRET).update(rawBody).digest('hex');
const received = (request.headers['x-service-signature'] ?? '').replace(/^sha256=/, '');
const isValid = received.length === expected.length && timingSafeEqual(Buffer.from(received), Buffer.from(expected));`;

/** How to verify the signature of a delivery. */
export function Verifying() {
  return (
    <Surface title="Verify deliveries">
      <List size="sm" spacing={6} mb="md">
        <List.Item>
          <Code>X-Service-Signature</Code> is the HMAC-SHA256 of the raw body in hex, with the full text of the secret
          as key. For 24 hours after a rotation, <Code>X-Service-Signature-Previous</Code> has the signature of the old
          secret.
        </List.Item>
        <List.Item>
          <Code>webhook-id</Code>, <Code>webhook-timestamp</Code> and <Code>webhook-signature</Code> follow{' '}
          <Anchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" inherit underline="always">
            Standard Webhooks
          </Anchor>
          , so its libraries work; the timestamp protects against replays.
        </List.Item>
        <List.Item>
          An event may arrive twice: the same ID is the same event. Respond with 2xx first, then do the work.
        </List.Item>
      </List>
      <CodeBlock code={receiver} what="receiver in Node" />
      <Text size="sm" c="dimmed" mt="xs">
        Compare in constant time, and sign the bytes as received: parsed and re-serialized JSON has a different
        signature.
      </Text>
    </Surface>
  );
}
