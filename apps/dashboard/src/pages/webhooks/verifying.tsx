import { Anchor, Code, List, Tabs, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Surface } from '../../ui/surface.tsx';

const withSdk = `import express from 'express';
import { verifyWebhook, WebhookVerificationError } from '@capture-platform/sdk/verify-webhook';

const app = express();
// the raw bytes, before anything parses them
app.post('/captures', express.raw({ type: () => true, limit: '10mb' }), async (request, response) => {
  const { body, headers } = request;
  try {
    const { id, event } = await verifyWebhook({ body, headers, secret: process.env.WEBHOOK_SECRET });
    response.sendStatus(204);
    console.log(id, event.event); // the same id is the same event
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // an event newer than the SDK is ignored
    response.sendStatus(error.reason === 'unknown_event' ? 204 : 401);
  }
});`;

const withoutSdk = `import { createHmac, timingSafeEqual } from 'node:crypto';

// over the raw bytes of the body, before anything parses them
const expected = createHmac('sha256', process.env.WEBHOOK_SECRET).update(rawBody).digest('hex');
const received = (request.headers['x-service-signature'] ?? '').replace(/^sha256=/, '');
const isValid = received.length === expected.length && timingSafeEqual(Buffer.from(received), Buffer.from(expected));`;

/** Explains how to verify the signature of a delivery. */
export function Verifying() {
  return (
    <Surface title="Verify deliveries">
      <Tabs defaultValue="sdk" keepMounted={false} mb="md">
        <Tabs.List aria-label="Ways to verify">
          <Tabs.Tab value="sdk">With the SDK</Tabs.Tab>
          <Tabs.Tab value="own">Without</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sdk" pt="sm">
          <CodeBlock code={withSdk} what="receiver with the SDK" />
          <Text size="sm" c="dimmed" mt="xs">
            Checks the signature and when it was signed, so that old deliveries cannot be sent again, and returns a
            typed event.
          </Text>
        </Tabs.Panel>
        <Tabs.Panel value="own" pt="sm">
          <CodeBlock code={withoutSdk} what="receiver in Node" />
          <Text size="sm" c="dimmed" mt="xs">
            Compare in constant time, and sign the bytes as received: parsed and re-serialized JSON has a different
            signature.
          </Text>
        </Tabs.Panel>
      </Tabs>
      <List size="sm" spacing={6}>
        <List.Item>
          <Code>webhook-id</Code>, <Code>webhook-timestamp</Code> and <Code>webhook-signature</Code> follow{' '}
          <Anchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" inherit underline="always">
            Standard Webhooks
          </Anchor>
          , so its libraries in other languages work too.
        </List.Item>
        <List.Item>
          <Code>X-Service-Signature</Code> is the HMAC-SHA256 of the raw body in hex, with the full text of the secret
          as key. For 24 hours after a rotation, <Code>X-Service-Signature-Previous</Code> has the signature of the old
          secret.
        </List.Item>
        <List.Item>
          An event may arrive twice: the same ID is the same event. Respond with 2xx first, then do the work.
        </List.Item>
      </List>
    </Surface>
  );
}
