import { Anchor, Button, Progress, Text } from '@mantine/core';
import type { AccountRow, Deployment } from '../../../api/responses.ts';
import { useDeployment } from '../../../app/session-context.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { countText } from '../../../ui/figures.ts';
import { Moment } from '../../../ui/moment.tsx';
import { Status } from '../../../ui/status.tsx';

export function AccountTable({ accounts, onOpen }: { accounts: AccountRow[]; onOpen: (id: string) => void }) {
  const { plans } = useDeployment();
  return (
    <DataTable
      label="Accounts"
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Account',
          cell: ({ id, email }) => (
            <>
              <Anchor component="button" type="button" fw={550} size="sm" ta="left" onClick={() => onOpen(id)}>
                {email}
              </Anchor>
              <Text size="xs" c="dimmed">
                {id}
              </Text>
            </>
          ),
        },
        { label: 'Status', fixed: true, cell: ({ status }) => <Status value={status} /> },
        { label: 'Plan', cell: ({ plan }) => plan },
        {
          label: 'Used this month',
          width: 180,
          cell: (account) => <UsageBar account={account} plans={plans} />,
        },
        { label: 'Created', fixed: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        {
          label: 'Actions',
          hiddenLabel: true,
          end: true,
          cell: ({ id, email }) => (
            <Button size="xs" variant="default" onClick={() => onOpen(id)} aria-label={`Manage ${email}`}>
              Manage
            </Button>
          ),
        },
      ]}
    />
  );
}

export function UsageBar({ account, plans }: { account: AccountRow; plans: Deployment['plans'] }) {
  const limit = plans.find(({ name }) => name === account.plan)?.monthly_limit ?? null;
  const share = limit === null || limit === 0 ? 0 : Math.min(100, (account.used / limit) * 100);
  return (
    <>
      <Text size="sm">
        {countText(account.used)} of {limit === null ? 'unlimited' : countText(limit)}
      </Text>
      {limit !== null && (
        <Progress value={share} size="sm" mt={4} aria-hidden color={share >= 90 ? 'red.8' : 'pine.6'} />
      )}
    </>
  );
}
