import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSignIn } from '../../api/session.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Sends the key once; what stays in the browser is a cookie that no script can read. */
export function KeyForm() {
  const signIn = useSignIn();
  const [key, setKey] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(key.trim());
        setKey('');
      }}
    >
      <Stack>
        <PasswordInput
          label="API key"
          description="It is sent once and not kept here: a cookie takes its place for 12 hours."
          autoComplete="off"
          spellCheck={false}
          required
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
        />
        {signIn.error && <ProblemNote error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending} disabled={key.trim() === ''}>
          Sign in
        </Button>
        <Text size="sm" c="dimmed">
          Keys cannot be read again. Who has lost the last one gets another from whoever runs this service.
        </Text>
      </Stack>
    </form>
  );
}
