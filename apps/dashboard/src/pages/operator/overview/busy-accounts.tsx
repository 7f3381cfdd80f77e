import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Activity } from '../../../api/responses.ts';
import { countText } from '../../../ui/figures.ts';

/** The accounts with the most captures. */
export function BusyAccounts({ accounts }: { accounts: Activity['accounts'] }) {
  if (accounts.length === 0) return <Text size="sm">No captures in the last hour.</Text>;
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th ta="right">Open</Table.Th>
            <Table.Th ta="right">Ended</Table.Th>
            <Table.Th ta="right">Used today</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map(({ id, email, plan, open, ended, used_today }) => (
            <Table.Tr key={id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`/operator/accounts?email=${encodeURIComponent(email)}`} size="sm">
                  {email}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {plan}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{countText(open)}</Table.Td>
              <Table.Td ta="right">{countText(ended)}</Table.Td>
              <Table.Td ta="right">{countText(used_today)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
