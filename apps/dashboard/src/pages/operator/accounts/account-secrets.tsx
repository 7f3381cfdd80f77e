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

/** What the operator issues to an account: a key, and the secret that signs its events. Each is shown this once. */
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
          confirmLabel="Issue it"
          confirmColor="pine"
          act={issueKey}
        >
          For who has lost the last one. Those that it has go on working. Be sure who asks: whoever gets the key has the
          account.
        </ConfirmButton>
        <ConfirmButton
          label="Issue a signing secret"
          question={`Issue a new signing secret to ${email}?`}
          confirmLabel="Issue it"
          confirmColor="pine"
          act={issueSecret}
        >
          Events are signed with it at once; for 24 hours the former one’s signature is sent beside it.
          {offers?.signingSecret && ' Its owner can read and change it in the dashboard too.'}
        </ConfirmButton>
      </Group>
      {shown && (
        <div role="status">
          <ShownOnce {...shown} note={`For ${email}. It is shown this once and cannot be read again.`} />
          <Button mt="xs" size="xs" variant="default" onClick={() => setShown(null)}>
            I have passed it on
          </Button>
        </div>
      )}
    </Stack>
  );
}
