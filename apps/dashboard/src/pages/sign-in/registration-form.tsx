import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { Registration } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Creates an account with an API key. */
export function RegistrationForm({ onRegistered }: { onRegistered: (registration: Registration) => void }) {
  const [email, setEmail] = useState('');
  const register = useMutation({
    mutationFn: () => request<Registration>('POST', '/api/auth/register', { body: { email } }),
    onSuccess: onRegistered,
    // The response contains the key.
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
          label="Email address"
          description="Your account. API keys are free."
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {register.error && <ProblemNote error={register.error} />}
        <Button type="submit" loading={register.isPending}>
          Get an API key
        </Button>
      </Stack>
    </form>
  );
}
