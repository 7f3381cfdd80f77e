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

/** The account's own secret, which signs what goes to the `webhook_url` of a request. It is asked for when it is wanted. */
export function SigningSecretOfAccount() {
  const [secret, setSecret] = useState<string | null>(null);
  const [formerUntil, setFormerUntil] = useState<string | null>(null);
  const read = useMutation({
    mutationFn: () => request<SigningSecret>('GET', path),
    onSuccess: (found) => setSecret(found.secret),
    gcTime: 0,
  });
  const rotate = async () => {
    const made = await request<RotatedSecret>('POST', path);
    setSecret(made.secret);
    setFormerUntil(made.previous_valid_until);
  };
  return (
    <Surface title="The signing secret of your account">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          It signs what goes to a <code>webhook_url</code> that a capture or batch carries. Registered endpoints have
          secrets of their own.
        </Text>
        {secret !== null && (
          <Group gap="xs" wrap="nowrap">
            <code className={secretClasses.secret}>{secret}</code>
            <Copy text={secret} what="signing secret" />
          </Group>
        )}
        {formerUntil && (
          <Text size="sm">
            Until <Moment at={formerUntil} exact /> the former one signs beside it.
          </Text>
        )}
        {read.error && <ProblemNote error={read.error} retry={() => read.mutate()} />}
        <Group gap="xs">
          {secret === null ? (
            <Button size="xs" variant="default" loading={read.isPending} onClick={() => read.mutate()}>
              Show it
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={() => setSecret(null)}>
              Hide it
            </Button>
          )}
          <ConfirmButton
            label="Rotate the secret"
            question="Rotate your account’s signing secret?"
            confirmLabel="Rotate it"
            confirmColor="pine"
            act={rotate}
          >
            A new one signs at once. For 24 hours deliveries carry the signature of the former one as well.
          </ConfirmButton>
        </Group>
      </Stack>
    </Surface>
  );
}
