import { Anchor, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import type { Delivery } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Waiting } from '../../ui/waiting.tsx';

/** The log's largest page: more deliveries than begin in a millisecond. */
const limit = 100;

/**
 * The events of one capture and whom they were delivered to. They are recorded together with the outcome and bear its
 * time, to the millisecond: that is what the log is asked for.
 */
export function CaptureDeliveries({ id, endedAt }: { id: string; endedAt: string }) {
  const until = new Date(new Date(endedAt).getTime() + 1).toISOString();
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', 'capture', id],
    queryFn: async ({ signal }) => {
      const query = { since: endedAt, until, limit };
      const found = await request<{ deliveries: Delivery[] }>('GET', '/api/v1/webhooks/deliveries', { query, signal });
      return found.deliveries.filter(({ request_id }) => request_id === id);
    },
  });
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting what="Loading deliveries" />;
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody was to be told: the capture named no <code>webhook_url</code>, and no{' '}
        <Anchor component={Link} to="/webhooks" inherit underline="always">
          webhook
        </Anchor>{' '}
        of yours wanted its event then.
      </Text>
    );
  }
  return (
    <List listStyleType="none" spacing="sm" size="sm">
      {data.map((delivery) => (
        <List.Item key={delivery.id}>
          <Group gap="xs">
            <Status of={delivery.status} />
            <Anchor component={Link} to={`/deliveries/${delivery.id}`} size="sm">
              {delivery.event}
            </Anchor>
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {delivery.url} · {delivery.attempt_count} attempt{delivery.attempt_count === 1 ? '' : 's'}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
