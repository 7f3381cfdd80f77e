import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { LinkSecretFacts, NewLinkSecret } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { RotateLinkSecret } from './rotate-link-secret.tsx';

const path = '/api/v1/links/secret';

/** Shows since when the link secret exists, and creates, rotates and deletes it. A new secret is shown once. */
export function LinkSecret() {
  const client = useQueryClient();
  const [created, setCreated] = useState<NewLinkSecret | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['link secret'],
    queryFn: ({ signal }) => readFacts(signal),
  });
  const changed = (secret: NewLinkSecret | null) => {
    setCreated(secret);
    void client.invalidateQueries({ queryKey: ['link secret'] });
    void client.invalidateQueries({ queryKey: ['signed link'] });
  };
  return (
    <Surface title="Link secret">
      <Stack gap="sm">
        {created && (
          <div role="status">
            <ShownOnce what="link secret" secret={created.secret} />
            <Button mt="xs" size="xs" variant="default" onClick={() => setCreated(null)}>
              I saved it
            </Button>
          </div>
        )}
        {created?.previous_valid_until && (
          <Text size="sm">
            Links of the old secret work until <Moment at={created.previous_valid_until} exact />.
          </Text>
        )}
        {error ? (
          <ProblemNote error={error} retry={() => void refetch()} />
        ) : isPending ? (
          <Waiting what="Loading the link secret" />
        ) : data ? (
          <Stored createdAt={data.created_at} onChanged={changed} />
        ) : (
          <Missing onCreated={changed} />
        )}
      </Stack>
    </Surface>
  );
}

/** Returns null without a secret. */
async function readFacts(signal: AbortSignal): Promise<LinkSecretFacts | null> {
  try {
    return await request<LinkSecretFacts>('GET', path, { signal });
  } catch (error) {
    if (toProblem(error).code === 'NOT_FOUND') return null;
    throw error;
  }
}

function Missing({ onCreated }: { onCreated: (secret: NewLinkSecret) => void }) {
  const creation = useMutation({
    mutationFn: () => request<NewLinkSecret>('POST', path),
    onSuccess: onCreated,
    gcTime: 0,
  });
  return (
    <>
      <Text size="sm">Your account has no link secret, so it has no render links.</Text>
      {creation.error && <ProblemNote error={creation.error} />}
      <div>
        <Button size="xs" loading={creation.isPending} onClick={() => creation.mutate()}>
          Create secret
        </Button>
      </div>
    </>
  );
}

interface StoredProps {
  createdAt: string;
  onChanged: (secret: NewLinkSecret | null) => void;
}

function Stored({ createdAt, onChanged }: StoredProps) {
  return (
    <>
      <Text size="sm">
        Created <Moment at={createdAt} exact />. It cannot be read again. Rotate it if others may have seen it.
      </Text>
      <Group gap="xs">
        <RotateLinkSecret path={path} onRotated={onChanged} />
        <ConfirmButton
          label="Delete"
          name="Delete the link secret"
          question="Delete the link secret?"
          confirmLabel="Delete secret"
          act={async () => {
            await request('DELETE', path);
            onChanged(null);
          }}
        >
          All your render links stop working at once. Browsers and CDNs may show what they have until their copy
          expires. This cannot be undone.
        </ConfirmButton>
      </Group>
    </>
  );
}
