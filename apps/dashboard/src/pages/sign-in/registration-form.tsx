import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { Registration } from '../../api/responses.ts';
import { pageUrlFault, withScheme } from '../../captures/page-url.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

interface RegistrationFormProps {
  /** @param url of the page to capture first; empty if the user named no page. */
  onRegistered: (registration: Registration, url: string) => void;
}

/** Creates an account with an API key, and asks for a page to capture first. */
export function RegistrationForm({ onRegistered }: RegistrationFormProps) {
  const [email, setEmail] = useState('');
  const [url, setUrl] = useState('');
  const [urlFault, setUrlFault] = useState<string>();
  const register = useMutation({
    mutationFn: () => request<Registration>('POST', '/api/auth/register', { body: { email } }),
    onSuccess: (registration) => onRegistered(registration, withScheme(url)),
    // The response contains the key.
    gcTime: 0,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const fault = url.trim() === '' ? undefined : pageUrlFault(url);
        setUrlFault(fault);
        if (fault === undefined) register.mutate();
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
        <TextInput
          inputMode="url"
          label="First page to capture"
          description="Any public page, such as your own home page. You see it in a moment."
          placeholder="example.com"
          autoComplete="url"
          spellCheck={false}
          value={url}
          error={urlFault}
          onChange={(event) => {
            setUrlFault(undefined);
            setUrl(event.currentTarget.value);
          }}
        />
        {register.error && <ProblemNote error={register.error} />}
        <Button type="submit" loading={register.isPending}>
          Get an API key
        </Button>
      </Stack>
    </form>
  );
}
