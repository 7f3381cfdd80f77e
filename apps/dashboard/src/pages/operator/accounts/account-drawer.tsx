import { Anchor, Button, Divider, Drawer, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../../api/request.ts';
import type { AccountRow } from '../../../api/responses.ts';
import { useOffers } from '../../../api/service.ts';
import { useDeployment } from '../../../app/session-context.ts';
import { Facts } from '../../../captures/facts.tsx';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Status } from '../../../ui/status.tsx';
import { AccountSecrets } from './account-secrets.tsx';
import { UsageBar } from './account-table.tsx';
import { DeleteAccount } from './delete-account.tsx';

/** One account: what it has, and what may be done with it. */
export function AccountDrawer({ account, onClose }: { account: AccountRow | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={account !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={account?.email ?? ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {/* Keys and secrets that it has shown are gone with it. */}
      {account && <Details key={account.id} account={account} onClose={onClose} />}
    </Drawer>
  );
}

function Details({ account, onClose }: { account: AccountRow; onClose: () => void }) {
  const client = useQueryClient();
  const offers = useOffers();
  const { plans } = useDeployment();
  const path = `/api/operator/accounts/${account.id}`;
  const refresh = () => client.invalidateQueries({ queryKey: ['accounts'] });
  const setStatus = async (status: AccountRow['status']) => {
    await request('PATCH', path, { body: { status } });
    await refresh();
  };
  return (
    <Stack gap="lg">
      <Facts
        facts={{
          Account: account.id,
          Status: <Status of={account.status} />,
          Since: <Moment at={account.created_at} exact />,
          Used: <UsageBar account={account} plans={plans} />,
          Deliveries: offers?.registration && (
            <Anchor component={Link} to={`/operator/deliveries?account_id=${account.id}`} size="sm">
              What was sent for it
            </Anchor>
          ),
        }}
      />
      <PlanForm account={account} onChanged={refresh} />
      <Divider color="var(--line)" />
      <AccountSecrets account={account} />
      <Divider color="var(--line)" />
      <Group gap="xs">
        {account.status === 'active' ? (
          <ConfirmButton
            label="Suspend"
            question={`Suspend ${account.email}?`}
            confirmLabel="Suspend it"
            act={() => setStatus('suspended')}
          >
            Its keys are answered with 403 from the next request on. What was accepted is still captured and delivered.
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label="Set active again"
            question={`Set ${account.email} active again?`}
            confirmLabel="Set it active"
            confirmColor="pine"
            act={() => setStatus('active')}
          >
            Its keys work again from the next request on.
          </ConfirmButton>
        )}
        <DeleteAccount
          account={account}
          onDeleted={() => {
            onClose();
            return refresh();
          }}
        />
      </Group>
    </Stack>
  );
}

function PlanForm({ account, onChanged }: { account: AccountRow; onChanged: () => Promise<unknown> }) {
  const { plans } = useDeployment();
  const [plan, setPlan] = useState(account.plan);
  const change = useMutation({
    mutationFn: () => request('PATCH', `/api/operator/accounts/${account.id}`, { body: { plan } }),
    onSuccess: onChanged,
  });
  return (
    <div>
      <Group align="flex-end" gap="xs">
        <Select
          label="Plan"
          allowDeselect={false}
          data={plans.map(({ name }) => name)}
          value={plan}
          onChange={(chosen) => setPlan(chosen ?? plan)}
        />
        <Button
          variant="default"
          disabled={plan === account.plan}
          loading={change.isPending}
          onClick={() => change.mutate()}
        >
          Change the plan
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        Its limits hold from the next request on. What was used this month stays used.
      </Text>
      {change.error && <ProblemNote error={change.error} />}
    </div>
  );
}
