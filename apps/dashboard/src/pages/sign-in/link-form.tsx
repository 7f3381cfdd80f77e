import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { SignInLink } from '../../api/responses.ts';
import { IconMail } from '../../ui/icons.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Requests a sign-in link by email. The page does not learn whether an account has the address. */
export function LinkForm() {
  const [email, setEmail] = useState('');
  const link = useMutation({
    mutationFn: () => request<SignInLink>('POST', '/api/auth/sign-in-link', { body: { email } }),
  });
  if (link.data) {
    return (
      <Alert
        role="status"
        variant="outline"
        icon={<IconMail aria-hidden />}
        title="Check your email"
        styles={{ title: { color: 'var(--mantine-color-text)' } }}
      >
        <Stack gap="xs">
          <Text size="sm">
            If <b>{email.trim()}</b> belongs to an account, a sign-in link is on its way. It works once, within{' '}
            {Math.round(link.data.valid_for_s / 60)} minutes.
          </Text>
          <Text size="sm">
            No mail? Look in your spam folder. We send an address that has never used a link one mail a day, and others
            five an hour.
          </Text>
        </Stack>
      </Alert>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        link.mutate();
      }}
    >
      <Stack>
        <TextInput
          type="email"
          label="Email address"
          description="The address of your account. The link signs you in, so that you can create a new API key."
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {link.error && <ProblemNote error={link.error} />}
        <Button type="submit" loading={link.isPending}>
          Send a sign-in link
        </Button>
      </Stack>
    </form>
  );
}
