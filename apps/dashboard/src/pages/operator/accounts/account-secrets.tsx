import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../../api/request.ts';
import type { AccountRow, IssuedKey, IssuedSecret } from '../../../api/responses.ts';
import { useOffers } from '../../../api/service.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';

interface Shown {
  what: string;
  secret: string;
}

/** Issues a key or a signing secret to an account. Each is shown once. */
export function AccountSecrets({ account: { id, email } }: { account: AccountRow }) {
  const offers = useOffers();
  const [shown, setShown] = useState<Shown | null>(null);
  const path = `/api/operator/accounts/${id}`;
  const issueKey = async () => {
    const { apiKey } = await request<IssuedKey>('POST', `${path}/keys`);
    setShown({ what: 'new API key', secret: apiKey });
  };
  const issueSecret = async () => {
    const { secret } = await request<IssuedSecret>('POST', `${path}/signing-secret`);
    setShown({ what: 'new signing secret', secret });
  };
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <ConfirmButton
          label="Issue a key"
          question={`Issue a key to ${email}?`}
          confirmLabel="Issue key"
          confirmColor="pine"
          act={issueKey}
        >
          Issues a further key for an account that lost its last one. Its other keys keep working. Verify who asks: the
          key gives full access to the account.
        </ConfirmButton>
        <ConfirmButton
          label="Issue a signing secret"
          question={`Issue a new signing secret to ${email}?`}
          confirmLabel="Issue secret"
          confirmColor="pine"
          act={issueSecret}
        >
          It signs events at once. For 24 hours, events also carry the signature of the old secret.
          {offers?.signingSecret && ' The account can also read and rotate it in the dashboard.'}
        </ConfirmButton>
      </Group>
      {shown && (
        <div role="status">
          <ShownOnce {...shown} note={`For ${email}. It is shown only once.`} />
          <Button mt="xs" size="xs" variant="default" onClick={() => setShown(null)}>
            I passed it on
          </Button>
        </div>
      )}
    </Stack>
  );
}
