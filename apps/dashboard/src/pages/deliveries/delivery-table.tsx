import { Anchor, Checkbox, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Delivery } from '../../api/responses.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Status } from '../../ui/status.tsx';
import type { DeliverySource, OwnedDelivery } from './delivery-source.ts';

interface DeliveryTableProps {
  source: DeliverySource;
  deliveries: OwnedDelivery[];
  selected: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

export function DeliveryTable({ source, deliveries, selected, onToggle }: DeliveryTableProps) {
  return (
    <DataTable
      label="Deliveries"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Event and receiver',
          cell: (delivery) => (
            <Group gap="sm" align="flex-start" wrap="nowrap">
              <Checkbox
                size="xs"
                mt={2}
                aria-label={`Select ${delivery.event} of ${delivery.request_id ?? delivery.batch_id}`}
                checked={selected.has(delivery.id)}
                onChange={() => onToggle(delivery.id)}
              />
              <div>
                <Anchor component={Link} to={`${source.page}/${delivery.id}`} size="sm" fw={550}>
                  {delivery.event}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {delivery.url}
                </Text>
                {delivery.account_id && (
                  <Anchor component={Link} to={`?account_id=${delivery.account_id}`} size="xs">
                    {delivery.account_email || delivery.account_id}
                  </Anchor>
                )}
              </div>
            </Group>
          ),
        },
        { label: 'Status', fixed: true, cell: ({ status }) => <Status value={status} /> },
        {
          label: 'Attempts',
          cell: (delivery) => (
            <>
              {delivery.attempt_count}
              <Text size="xs" c="dimmed">
                {lastOutcomeOf(delivery)}
              </Text>
            </>
          ),
        },
        {
          label: 'Created',
          fixed: true,
          cell: ({ created_at, next_attempt_at, attempt_count }) => (
            <>
              <Moment at={created_at} />
              {next_attempt_at && attempt_count > 0 && (
                <Text size="xs" c="dimmed">
                  next <Moment at={next_attempt_at} />
                </Text>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

/** The outcome of the last attempt. */
function lastOutcomeOf({ last_status, last_error }: Delivery): string {
  return [last_status, last_error].filter((part) => part !== null).join(' ');
}
