import { Anchor, Button, Progress, Table, Text, VisuallyHidden } from '@mantine/core';
import type { AccountRow, Deployment } from '../../../api/responses.ts';
import { useDeployment } from '../../../app/session-context.ts';
import { countText } from '../../../ui/figures.ts';
import { Moment } from '../../../ui/moment.tsx';
import { Status } from '../../../ui/status.tsx';

export function AccountTable({ accounts, onOpen }: { accounts: AccountRow[]; onOpen: (id: string) => void }) {
  const { plans } = useDeployment();
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Plan</Table.Th>
            <Table.Th miw={170}>Used this month</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor
                  component="button"
                  type="button"
                  fw={600}
                  size="sm"
                  ta="left"
                  onClick={() => onOpen(account.id)}
                >
                  {account.email}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {account.id}
                </Text>
              </Table.Td>
              <Table.Td>
                <Status value={account.status} />
              </Table.Td>
              <Table.Td>{account.plan}</Table.Td>
              <Table.Td>
                <UsageBar account={account} plans={plans} />
              </Table.Td>
              <Table.Td>
                <Moment at={account.created_at} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onOpen(account.id)}
                  aria-label={`Manage ${account.email}`}
                >
                  Manage
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The used share of the monthly quota. */
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
