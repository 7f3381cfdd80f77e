import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import type { Session } from '../../api/responses.ts';
import { type Credentials, useSignIn } from '../../api/session.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

const texts = {
  account: {
    label: 'API key',
    hint: 'Keys cannot be shown again. If you lost your last one, ask the operator of this service for a replacement.',
    credentials: (key: string): Credentials => ({ api_key: key }),
  },
  operator: {
    label: 'Operator key',
    hint: 'The value of OPERATOR_KEY. npm start generates one and prints it on every start.',
    credentials: (key: string): Credentials => ({ operator_key: key }),
  },
};

interface KeyFormProps {
  userRole: Session['role'];
  /** Opens the form for a sign-in link by email; null where this deployment sends none, undefined until that is known. */
  onLost: (() => void) | null | undefined;
}

/** Exchanges a key for a session cookie that no script can read. */
export function KeyForm({ userRole, onLost }: KeyFormProps) {
  const { label, hint, credentials } = texts[userRole];
  const signIn = useSignIn();
  const [key, setKey] = useState('');
  const isWrongKey = signIn.error && toProblem(signIn.error).code === 'UNAUTHORIZED';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(credentials(key.trim()));
        // No key stays in the page, not even a wrong key.
        setKey('');
      }}
    >
      <Stack>
        <PasswordInput
          label={label}
          description="We don't store your key. You stay signed in for 12 hours."
          autoComplete="off"
          spellCheck={false}
          required
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show key' }}
        />
        {signIn.error && <ProblemNote error={signIn.error} title={isWrongKey ? `Wrong ${label}` : undefined} />}
        <Button type="submit" loading={signIn.isPending} disabled={key.trim() === ''}>
          Sign in
        </Button>
        {onLost && (
          <Text size="sm" c="dimmed">
            Keys cannot be shown again.{' '}
            <Anchor component="button" type="button" size="sm" onClick={onLost}>
              Lost your key? Get a sign-in link by email
            </Anchor>
          </Text>
        )}
        {onLost === null && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Stack>
    </form>
  );
}
