import { Group, Text } from '@mantine/core';
import type { TestOutcome } from '../../api/responses.ts';
import { durationText } from '../../ui/figures.ts';
import { Status } from '../../ui/status.tsx';

/** Explains each error of an attempt to the owner of the receiver. */
const meanings: Readonly<Record<string, string>> = {
  timeout: 'It did not respond in time.',
  dns: 'Its host name could not be resolved.',
  refused: 'It refused the connection.',
  reset: 'It closed the connection.',
  tls: 'Its certificate was not accepted.',
  redirect: 'It redirected; redirects are not followed.',
  blocked: 'Its address is blocked.',
  invalid_response: 'Its response was not HTTP.',
  http_4xx: 'The receiver rejected the request.',
  http_5xx: 'The receiver had an internal error.',
};

export const attemptText = (error: string | null): string => (error === null ? '' : (meanings[error] ?? error));

export function Outcome({ outcome }: { outcome: TestOutcome }) {
  const { delivered, status, latency_ms, error } = outcome;
  return (
    <Group gap="xs" role="status">
      <Status value={delivered ? 'delivered' : 'failed'} />
      <Text size="sm">
        {status !== null && `Response: ${status}`}
        {status !== null && latency_ms !== null && ` in ${durationText(latency_ms)}`}
        {status !== null && '. '}
        {attemptText(error)}
      </Text>
    </Group>
  );
}
