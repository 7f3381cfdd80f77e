import { Anchor, Checkbox, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Delivery } from '../../api/responses.ts';
import { Moment } from '../../ui/moment.tsx';
import { Status } from '../../ui/status.tsx';
import type { DeliverySource } from './delivery-source.ts';

interface DeliveryTableProps {
  source: DeliverySource;
  /** With the account, for the operator. */
  deliveries: (Delivery & { account_id?: string })[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}

export function DeliveryTable({ source, deliveries, selected, onSelect }: DeliveryTableProps) {
  const all = deliveries.every(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                aria-label="Select all"
                checked={all}
                indeterminate={!all && selected.size > 0}
                onChange={() => onSelect(new Set(all ? [] : deliveries.map(({ id }) => id)))}
              />
            </Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Event and receiver</Table.Th>
            <Table.Th>Attempts</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Table.Tr key={delivery.id}>
              <Table.Td>
                <Checkbox
                  aria-label={`Select ${delivery.event} of ${delivery.request_id ?? delivery.batch_id}`}
                  checked={selected.has(delivery.id)}
                  onChange={() => toggle(delivery.id)}
                />
              </Table.Td>
              <Table.Td>
                <Status value={delivery.status} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`${source.page}/${delivery.id}`} size="sm">
                  {delivery.event}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {delivery.url}
                </Text>
                {delivery.account_id && (
                  <Anchor component={Link} to={`?account_id=${delivery.account_id}`} size="xs">
                    {delivery.account_id}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>
                {delivery.attempt_count}
                <Text size="xs" c="dimmed">
                  {lastOutcomeOf(delivery)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Moment at={delivery.created_at} />
                {delivery.next_attempt_at && delivery.attempt_count > 0 && (
                  <Text size="xs" c="dimmed">
                    next <Moment at={delivery.next_attempt_at} />
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The outcome of the last attempt. */
function lastOutcomeOf({ last_status, last_error }: Delivery): string {
  return [last_status, last_error].filter((part) => part !== null).join(' ');
}
