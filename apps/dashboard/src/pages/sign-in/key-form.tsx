import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Session } from '../../api/responses.ts';
import { type Credentials, useSignIn } from '../../api/session.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

const words = {
  account: {
    label: 'API key',
    lost: 'Keys cannot be read again. Who has lost the last one gets another from whoever runs this service.',
    credentials: (key: string): Credentials => ({ api_key: key }),
  },
  operator: {
    label: 'Operator key',
    lost: 'It is the setting OPERATOR_KEY; npm start makes one, and prints it each time.',
    credentials: (key: string): Credentials => ({ operator_key: key }),
  },
};

/** Sends the key once; what stays in the browser is a cookie that no script can read. */
export function KeyForm({ of }: { of: Session['role'] }) {
  const { label, lost, credentials } = words[of];
  const signIn = useSignIn();
  const [key, setKey] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(credentials(key.trim()));
        setKey('');
      }}
    >
      <Stack>
        <PasswordInput
          label={label}
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
          {lost}
        </Text>
      </Stack>
    </form>
  );
}
