import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { Registration } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** An e-mail address for a key. */
export function RegistrationForm({ onRegistered }: { onRegistered: (registration: Registration) => void }) {
  const [email, setEmail] = useState('');
  const register = useMutation({
    mutationFn: () => request<Registration>('POST', '/api/auth/register', { body: { email } }),
    onSuccess: onRegistered,
    // The key is in the answer.
    gcTime: 0,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        register.mutate();
      }}
    >
      <Stack>
        <TextInput
          type="email"
          label="E-mail address"
          description="The key belongs to it. Keys are free."
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {register.error && <ProblemNote error={register.error} />}
        <Button type="submit" loading={register.isPending}>
          Get a key
        </Button>
      </Stack>
    </form>
  );
}
