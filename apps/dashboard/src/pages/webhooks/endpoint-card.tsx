import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import type { Endpoint, RotatedSecret } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { Statistics } from './endpoint-statistics.tsx';
import { EndpointTest } from './endpoint-test.tsx';
import { ReplayForm } from './replay-form.tsx';

interface EndpointCardProps {
  endpoint: Endpoint;
  events: readonly string[];
  onChanged: () => Promise<unknown>;
  onSecret: (secret: string) => void;
}

export function EndpointCard({ endpoint, events, onChanged, onSecret }: EndpointCardProps) {
  const { id, url, status, disabled_reason, failing_since } = endpoint;
  const isFailing = status === 'active' && failing_since;
  const [editing, setEditing] = useState(false);
  const path = `/api/v1/webhooks/${id}`;
  const next = status === 'active' ? 'paused' : 'active';
  const change = useMutation({
    mutationFn: () => request<Endpoint>('PATCH', path, { body: { status: next } }),
    onSuccess: onChanged,
  });
  const rotate = async () => {
    const { secret } = await request<RotatedSecret>('POST', `${path}/rotate-secret`, { body: {} });
    onSecret(secret);
  };
  const remove = async () => {
    await request('DELETE', path);
    await onChanged();
  };
  return (
    <Surface isBad={Boolean(isFailing) || status === 'disabled'}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text component="h2" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <Status value={isFailing ? 'failing' : status} />
        </Group>
        <Text size="sm" c="dimmed">
          {endpoint.events.join(', ')} · created <Moment at={endpoint.created_at} exact />
        </Text>
        {isFailing && (
          <Text size="sm" c="var(--bad)">
            Every attempt has failed since <Moment at={failing_since} exact />. The webhook deliveries show why. After
            five days of failures the endpoint is disabled. Deliveries that used up their retries can be replayed.
          </Text>
        )}
        {disabled_reason && (
          <Text size="sm" c="var(--bad)">
            {disabled_reason} Resuming the endpoint sends its held deliveries.
          </Text>
        )}
        <Statistics id={id} />
        <Group gap="xs">
          <EndpointTest id={id} url={url} />
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate()}
            aria-label={`${next === 'active' ? 'Resume' : 'Pause'} ${url}`}
          >
            {next === 'active' ? 'Resume' : 'Pause'}
          </Button>
          <Button size="xs" variant="default" onClick={() => setEditing(true)} aria-label={`Edit ${url}`}>
            Edit
          </Button>
          <ConfirmButton
            label="Rotate secret"
            name={`Rotate secret of ${url}`}
            question="Rotate the signing secret?"
            confirmLabel="Rotate secret"
            confirmColor="pine"
            act={rotate}
          >
            The new secret signs at once and is shown only once. For 24 hours, deliveries also carry the signature of
            the old secret, so that you can update your receiver.
          </ConfirmButton>
          <ReplayForm id={id} url={url} />
          <ConfirmButton
            label="Delete"
            name={`Delete ${url}`}
            question="Delete this endpoint?"
            confirmLabel="Delete endpoint"
            act={remove}
          >
            Nothing more is sent to {url}. Pending deliveries end as failed.
          </ConfirmButton>
          <Anchor component={Link} to={`/deliveries?webhook_id=${id}`} size="sm" ml="xs">
            Webhook deliveries
          </Anchor>
        </Group>
        {change.error && <ProblemNote error={change.error} />}
      </Stack>
      <EndpointForm
        opened={editing}
        events={events}
        endpoint={endpoint}
        onClose={() => setEditing(false)}
        onSaved={() => void onChanged()}
      />
    </Surface>
  );
}
