import { Alert, Button, Code, List, Text } from '@mantine/core';
import { toProblem } from '../api/problem.ts';
import { AboutError } from '../captures/about-error.tsx';
import { adviceFor } from '../captures/advice.ts';
import { IconAlertTriangle } from './icons.tsx';

const titles: Readonly<Record<string, string>> = {
  NO_RESPONSE: 'No connection to the service',
  TOO_SLOW: 'The request timed out',
  RATE_LIMITED: 'Too many requests',
  QUOTA_EXCEEDED: 'This month’s quota is used up',
  OVERLOADED: 'The service is very busy',
  NOT_FOUND: 'Not found',
  UNAUTHORIZED: 'Not signed in',
  FORBIDDEN: 'Not allowed',
  INVALID_REQUEST: 'Invalid request',
  URL_BLOCKED: 'This URL cannot be captured',
  URL_UNREACHABLE: 'The page could not be reached',
  NAVIGATION_FAILED: 'The page could not be reached',
  HTTP_STATUS: 'The page responded with an error',
  SELECTOR_NOT_FOUND: 'A selector matched nothing',
  PAGE_TOO_LARGE: 'The page is too large',
  CAPTURE_TIMEOUT: 'The capture took too long',
  RENDERING_FAILED: 'The page could not be rendered',
  QUALITY_REJECTED: 'The capture was rejected by fail_on',
};

interface ProblemNoteProps {
  error: unknown;
  /** Replaces the title for the error's code. */
  title?: string | undefined;
  /** Shows a button that tries again. */
  retry?: () => void;
}

/** Shows an error with the service's message, advice, and the request ID for support. */
export function ProblemNote({ error, title, retry }: ProblemNoteProps) {
  const problem = toProblem(error);
  const advice = adviceFor(problem.code);
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={title ?? titles[problem.code] ?? 'Request failed'}
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
      {advice && (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
      <AboutError code={problem.code} />
      {problem.retryAfterS !== null && (
        <Text size="sm" mt={4}>
          Try again in {waitText(problem.retryAfterS)}.
        </Text>
      )}
      {problem.requestId && (
        <Text size="xs" mt="xs">
          Request ID <Code fz="xs">{problem.requestId}</Code>
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
