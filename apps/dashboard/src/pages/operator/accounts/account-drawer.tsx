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
      {/* Closing removes the keys and secrets that the drawer showed. */}
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
          Status: <Status value={account.status} />,
          Created: <Moment at={account.created_at} exact />,
          Used: <UsageBar account={account} plans={plans} />,
          Captures: (
            <Anchor component={Link} to={`/operator/captures?account_id=${account.id}`} size="sm">
              Show captures
            </Anchor>
          ),
          Deliveries: offers?.registration && (
            <Anchor component={Link} to={`/operator/deliveries?account_id=${account.id}`} size="sm">
              Show deliveries
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
            confirmLabel="Suspend account"
            act={() => setStatus('suspended')}
          >
            From the next request, its keys get a 403 response. Accepted captures are still processed and delivered.
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label="Reactivate"
            question={`Reactivate ${account.email}?`}
            confirmLabel="Reactivate account"
            confirmColor="pine"
            act={() => setStatus('active')}
          >
            Its keys work again from the next request.
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
          Change plan
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        The new limits apply from the next request. Usage of this month is kept.
      </Text>
      {change.error && <ProblemNote error={change.error} />}
    </div>
  );
}
