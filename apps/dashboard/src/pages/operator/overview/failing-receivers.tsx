import { Text } from '@mantine/core';
import type { Activity } from '../../../api/responses.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { countText } from '../../../ui/figures.ts';
import { Moment } from '../../../ui/moment.tsx';
import { attemptText } from '../../webhooks/test-outcome.tsx';

export function FailingReceivers({ receivers }: { receivers: Activity['receivers'] }) {
  if (receivers.length === 0) return <Text size="sm">None. No delivery is waiting for a retry.</Text>;
  return (
    <DataTable
      label="Failing receivers"
      rows={receivers}
      keyOf={({ host }) => host}
      columns={[
        {
          label: 'Host',
          cell: ({ host, accounts, last_error }) => (
            <>
              {host}
              <Text size="xs" c="dimmed">
                {attemptText(last_error)} {accounts > 1 && `${countText(accounts)} accounts.`}
              </Text>
            </>
          ),
        },
        { label: 'To retry', end: true, cell: ({ pending }) => countText(pending) },
        { label: 'Next', fixed: true, cell: ({ oldest_due_at }) => <Moment at={oldest_due_at} /> },
      ]}
    />
  );
}
