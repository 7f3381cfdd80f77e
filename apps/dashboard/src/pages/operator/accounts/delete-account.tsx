import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../../api/request.ts';
import type { AccountRow } from '../../../api/responses.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';

/** Deletes an account permanently, after the operator has typed its email address. */
export function DeleteAccount({ account, onDeleted }: { account: AccountRow; onDeleted: () => unknown }) {
  const [opened, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState('');
  const deletion = useMutation({
    mutationFn: () => request('DELETE', `/api/operator/accounts/${account.id}`),
    onSuccess: onDeleted,
  });
  const show = () => {
    setTyped('');
    deletion.reset();
    open();
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={show}>
        Delete
      </Button>
      <Modal opened={opened} onClose={close} title={`Delete ${account.email}?`} centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() === account.email) deletion.mutate();
          }}
        >
          <Stack>
            <Text size="sm">
              Its keys, sessions and links stop working at once. Its captures, files, webhooks and deliveries are
              deleted. This cannot be undone.
            </Text>
            <TextInput
              label="Type its email address to confirm"
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {deletion.error && <ProblemNote error={deletion.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                type="submit"
                color="red.8"
                disabled={typed.trim() !== account.email}
                loading={deletion.isPending}
              >
                Delete account
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
