import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../../api/request.ts';
import type { AccountRow } from '../../../api/responses.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';

/** Deletes an account permanently, after the operator has typed its email address. */
export function DeleteAccount({ account, onDeleted }: { account: AccountRow; onDeleted: () => unknown }) {
  const [typed, setTyped] = useState('');
  return (
    <ConfirmButton
      label="Delete"
      question={`Delete ${account.email}?`}
      confirmLabel="Delete account"
      incomplete={typed.trim() !== account.email}
      onShow={() => setTyped('')}
      act={async () => {
        await request('DELETE', `/api/operator/accounts/${account.id}`);
        await onDeleted();
      }}
    >
      <Stack>
        Its keys, sessions and links stop working at once. Its captures, files, webhooks and deliveries are deleted.
        This cannot be undone.
        <TextInput
          label="Type its email address to confirm"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmButton>
  );
}
