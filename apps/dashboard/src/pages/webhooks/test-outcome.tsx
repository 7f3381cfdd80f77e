import { Group, Text } from '@mantine/core';
import type { TestOutcome } from '../../api/responses.ts';
import { durationText } from '../../ui/figures.ts';
import { Status } from '../../ui/status.tsx';

/** What each word for a failed attempt means to who has to mend it. */
const meanings: Readonly<Record<string, string>> = {
  timeout: 'It did not answer in time.',
  dns: 'Its name could not be resolved.',
  refused: 'It refused the connection.',
  reset: 'It broke off the connection.',
  tls: 'Its certificate was not accepted.',
  redirect: 'It redirects, which is not followed.',
  blocked: 'Its address may not be reached from here.',
  invalid_response: 'What it answered is no HTTP.',
  http_4xx: 'It refused the request.',
  http_5xx: 'It had an error of its own.',
};

export const attemptText = (error: string | null): string => (error === null ? '' : (meanings[error] ?? error));

/** How a test event was taken. */
export function Outcome({ outcome }: { outcome: TestOutcome }) {
  const { delivered, status, latency_ms, error } = outcome;
  return (
    <Group gap="xs" role="status">
      <Status of={delivered ? 'delivered' : 'failed'} />
      <Text size="sm">
        {status !== null && `It answered ${status}`}
        {status !== null && latency_ms !== null && ` in ${durationText(latency_ms)}`}
        {status !== null && '. '}
        {attemptText(error)}
      </Text>
    </Group>
  );
}
