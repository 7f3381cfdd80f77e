import { Anchor, Code, List, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Surface } from '../../ui/surface.tsx';

const receiver = `import { createHmac, timingSafeEqual } from 'node:crypto';

// over the raw bytes of the body, before anything parses them
const expected = createHmac('sha256', process.env.SIGNING_SECRET).update(rawBody).digest('hex');
const given = (request.headers['x-service-signature'] ?? '').replace(/^sha256=/, '');
const isOurs = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));`;

/** What a delivery is signed with, and how its receiver makes sure. */
export function Verifying() {
  return (
    <Surface title="How a receiver verifies">
      <List size="sm" spacing={6} mb="md">
        <List.Item>
          <Code>X-Service-Signature</Code> is the HMAC-SHA256 of the raw body in hex; its key is the secret’s whole
          text. For 24 hours after a rotation <Code>X-Service-Signature-Previous</Code> has that of the former secret.
        </List.Item>
        <List.Item>
          <Code>webhook-id</Code>, <Code>webhook-timestamp</Code> and <Code>webhook-signature</Code> are those of{' '}
          <Anchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" inherit underline="always">
            Standard Webhooks
          </Anchor>
          , for its libraries; the timestamp guards against replays.
        </List.Item>
        <List.Item>
          An event may rarely come twice: the same id is the same event. Answer 2xx first, work afterwards.
        </List.Item>
      </List>
      <CodeBlock code={receiver} what="receiver in Node" />
      <Text size="sm" c="dimmed" mt="xs">
        Compare in constant time, and over the bytes as they came: JSON that was parsed and written anew has another
        signature.
      </Text>
    </Surface>
  );
}
