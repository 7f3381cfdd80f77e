import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Activity } from '../../../api/responses.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { countText } from '../../../ui/figures.ts';

export function BusyAccounts({ accounts }: { accounts: Activity['accounts'] }) {
  if (accounts.length === 0) return <Text size="sm">No captures in the last hour.</Text>;
  return (
    <DataTable
      label="Busiest accounts"
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Account',
          cell: ({ id, email, plan }) => (
            <>
              <Anchor component={Link} to={`/operator/captures?account_id=${id}`} size="sm">
                {email}
              </Anchor>
              <Text size="xs" c="dimmed">
                {plan}
              </Text>
            </>
          ),
        },
        { label: 'Open', end: true, cell: ({ open }) => countText(open) },
        { label: 'Ended', end: true, cell: ({ ended }) => countText(ended) },
        { label: 'Used today', end: true, cell: ({ used_today }) => countText(used_today) },
      ]}
    />
  );
}
