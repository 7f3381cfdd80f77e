import { Alert, Button, Code, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { toProblem } from '../api/problem.ts';

const titles: Readonly<Record<string, string>> = {
  NO_ANSWER: 'No connection to the service',
  TOO_SLOW: 'This takes too long',
  RATE_LIMITED: 'A little too fast',
  QUOTA_EXCEEDED: 'This month’s quota is used up',
  OVERLOADED: 'The service is very busy',
  NOT_FOUND: 'There is no such thing here',
  INVALID_REQUEST: 'Something in it is not right',
  URL_BLOCKED: 'This address may not be captured',
};

interface ProblemNoteProps {
  error: unknown;
  /** Tries again; without it the person does so where they have just been. */
  retry?: () => void;
}

/** What went wrong, in the service's own words, with what can be done and what support needs. */
export function ProblemNote({ error, retry }: ProblemNoteProps) {
  const problem = toProblem(error);
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={titles[problem.code] ?? 'That did not work'}
      styles={{
        title: { color: 'var(--bad)' },
        root: { background: 'var(--bad-ground)' },
        icon: { color: 'var(--bad)' },
      }}
    >
      <Text size="sm">{problem.message}</Text>
      {problem.details.length > 1 && (
        <List size="sm" mt="xs">
          {problem.details.slice(0, 10).map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              <Code>{field || 'request'}</Code> {message}
            </List.Item>
          ))}
        </List>
      )}
      {problem.retryAfterS !== null && (
        <Text size="sm" mt={4}>
          It can be tried again in {waitText(problem.retryAfterS)}.
        </Text>
      )}
      {problem.requestId && (
        <Text size="xs" mt="xs">
          Request <Code fz="xs">{problem.requestId}</Code>
        </Text>
      )}
      {retry && (
        <Button mt="sm" size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

function waitText(seconds: number): string {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}
