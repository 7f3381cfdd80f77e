import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { RotatedSecret, SigningSecret } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import secretClasses from '../../ui/shown-once.module.css';
import { Surface } from '../../ui/surface.tsx';

const path = '/api/v1/account/signing-secret';

/** Shows the signing secret of the account, for the `webhook_url` of requests. It is loaded on demand. */
export function SigningSecretOfAccount() {
  const [secret, setSecret] = useState<string | null>(null);
  const [previousUntil, setPreviousUntil] = useState<string | null>(null);
  const read = useMutation({
    mutationFn: () => request<SigningSecret>('GET', path),
    onSuccess: (found) => setSecret(found.secret),
    gcTime: 0,
  });
  const rotate = async () => {
    const rotated = await request<RotatedSecret>('POST', path);
    setSecret(rotated.secret);
    setPreviousUntil(rotated.previous_valid_until);
  };
  return (
    <Surface title="Account signing secret">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          It signs deliveries to the <code>webhook_url</code> of captures and batches. Registered endpoints have their
          own secrets.
        </Text>
        {secret !== null && (
          <Group gap="xs" wrap="nowrap">
            <code className={secretClasses.secret}>{secret}</code>
            <Copy text={secret} what="signing secret" />
          </Group>
        )}
        {previousUntil && (
          <Text size="sm">
            The old secret also signs until <Moment at={previousUntil} exact />.
          </Text>
        )}
        {read.error && <ProblemNote error={read.error} retry={() => read.mutate()} />}
        <Group gap="xs">
          {secret === null ? (
            <Button size="xs" variant="default" loading={read.isPending} onClick={() => read.mutate()}>
              Show secret
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={() => setSecret(null)}>
              Hide secret
            </Button>
          )}
          <ConfirmButton
            label="Rotate"
            question="Rotate the signing secret of your account?"
            confirmLabel="Rotate secret"
            confirmColor="pine"
            act={rotate}
          >
            The new secret signs at once. For 24 hours, deliveries also carry the signature of the old one.
          </ConfirmButton>
        </Group>
      </Stack>
    </Surface>
  );
}
