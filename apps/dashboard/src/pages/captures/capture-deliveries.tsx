import { Anchor, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import type { Delivery } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Waiting } from '../../ui/waiting.tsx';

/** The largest page of the log: fewer deliveries are created in a millisecond. */
const limit = 100;

/** Lists a capture's deliveries, which have the time of its outcome: the log is filtered by that time. */
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
        No deliveries: the capture had no <code>webhook_url</code>, and no{' '}
        <Anchor component={Link} to="/webhooks" inherit underline="always">
          webhook
        </Anchor>{' '}
        of yours subscribed to its event.
      </Text>
    );
  }
  return (
    <List listStyleType="none" spacing="sm" size="sm">
      {data.map((delivery) => (
        <List.Item key={delivery.id}>
          <Group gap="xs">
            <Status value={delivery.status} />
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
