import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { IssuedKey } from '../../api/responses.ts';
import { IconPlus } from '../../ui/icons.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

export function AddKey({ onAdded }: { onAdded: (apiKey: string) => void }) {
  const [opened, { open, close }] = useDisclosure();
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: () => request<IssuedKey>('POST', '/api/v1/keys', { body: name.trim() === '' ? {} : { name } }),
    onSuccess: ({ apiKey }) => {
      setName('');
      close();
      onAdded(apiKey);
    },
    gcTime: 0,
  });
  return (
    <>
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
        Create a key
      </Button>
      <Modal opened={opened} onClose={close} title="Create a key" centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate();
          }}
        >
          <Stack>
            <TextInput
              label="Name"
              description="Optional. Helps you to recognize the key."
              placeholder="CI"
              maxLength={100}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {add.error && <ProblemNote error={add.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={add.isPending}>
                Create key
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
