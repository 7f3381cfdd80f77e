import { Table, Text } from '@mantine/core';
import type { Activity } from '../../../api/responses.ts';
import { countText } from '../../../ui/figures.ts';
import { Moment } from '../../../ui/moment.tsx';
import { attemptText } from '../../webhooks/test-outcome.tsx';

/** The hosts with failing deliveries. */
export function FailingReceivers({ receivers }: { receivers: Activity['receivers'] }) {
  if (receivers.length === 0) return <Text size="sm">None. No delivery is waiting for a retry.</Text>;
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Host</Table.Th>
            <Table.Th ta="right">To retry</Table.Th>
            <Table.Th>Next</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {receivers.map(({ host, accounts, pending, oldest_due_at, last_error }) => (
            <Table.Tr key={host}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {host}
                <Text size="xs" c="dimmed">
                  {attemptText(last_error)} {accounts > 1 && `${countText(accounts)} accounts.`}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{countText(pending)}</Table.Td>
              <Table.Td>
                <Moment at={oldest_due_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
