import { Text, Timeline } from '@mantine/core';
import type { DeliveryWithAttempts } from '../../api/responses.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { durationText } from '../../ui/figures.ts';
import { IconCheck, IconClock, IconX } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { attemptText } from '../webhooks/test-outcome.tsx';

type Attempt = DeliveryWithAttempts['attempts'][number];

/** Shows the attempts in order, and the next attempt if one is due. */
export function AttemptTimeline({ delivery }: { delivery: DeliveryWithAttempts }) {
  const { attempts, next_attempt_at, status } = delivery;
  return (
    <Timeline bulletSize={24} lineWidth={2} active={attempts.length - 1}>
      {attempts.map((attempt) => (
        <Timeline.Item
          key={attempt.number}
          color={succeeded(attempt) ? 'pine.7' : 'red.8'}
          bullet={succeeded(attempt) ? <IconCheck size={14} aria-hidden /> : <IconX size={14} aria-hidden />}
          title={`Attempt ${attempt.number}${attempt.trigger === 'manual' ? ', manual' : ''}: ${outcomeOf(attempt)}`}
        >
          <Text size="sm" c="dimmed">
            <Moment at={attempt.started_at} exact />, {durationText(attempt.duration_ms)}. {attemptText(attempt.error)}
          </Text>
          {attempt.response_excerpt && (
            <div style={{ marginTop: 8 }}>
              <CodeBlock code={attempt.response_excerpt} what={`response to attempt ${attempt.number}`} wrapped />
            </div>
          )}
        </Timeline.Item>
      ))}
      {status === 'pending' && (
        <Timeline.Item bullet={<IconClock size={14} aria-hidden />} title="Next attempt">
          <Text size="sm" c="dimmed">
            {next_attempt_at ? <Moment at={next_attempt_at} /> : 'in progress'}
          </Text>
        </Timeline.Item>
      )}
      {status === 'paused' && (
        <Timeline.Item bullet={<IconClock size={14} aria-hidden />} title="Held">
          <Text size="sm" c="dimmed">
            Its endpoint is paused. The delivery is sent when you resume the endpoint.
          </Text>
        </Timeline.Item>
      )}
    </Timeline>
  );
}

const succeeded = ({ error }: Attempt) => error === null;

function outcomeOf({ status, error }: Attempt): string {
  if (error === null) return `delivered${status === null ? '' : ` (${status})`}`;
  return status === null ? 'failed' : `failed (${status})`;
}
