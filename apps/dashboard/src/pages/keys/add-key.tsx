import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { IssuedKey } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { IconPlus } from '../../ui/icons.tsx';

export function AddKey({ onAdded }: { onAdded: (apiKey: string) => void }) {
  const [name, setName] = useState('');
  const add = async () => {
    const { apiKey } = await request<IssuedKey>('POST', '/api/v1/keys', { body: name.trim() === '' ? {} : { name } });
    setName('');
    onAdded(apiKey);
  };
  return (
    <ConfirmButton
      variant="filled"
      size="sm"
      leftSection={<IconPlus size={16} aria-hidden />}
      label="Create a key"
      question="Create a key"
      confirmLabel="Create key"
      confirmColor="pine"
      act={add}
    >
      <TextInput
        label="Name"
        description="Optional. Helps you to recognize the key."
        placeholder="CI"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmButton>
  );
}
