import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Replayed } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { countText } from '../../ui/figures.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

const hour = 3_600_000;

/** Milliseconds ago. */
const spans = [
  { value: String(hour), label: 'Of the last hour' },
  { value: String(6 * hour), label: 'Of the last 6 hours' },
  { value: String(24 * hour), label: 'Of the last day' },
  { value: String(7 * 24 * hour), label: 'Of the last 7 days' },
  { value: String(30 * 24 * hour), label: 'Of the last 30 days' },
];

const statuses = [
  { value: 'failed', label: 'Only those that failed' },
  { value: 'delivered', label: 'Only those that were delivered' },
  { value: 'all', label: 'All of them' },
];

/** A replay of many thousands takes its time. */
const withinMs = 120_000;

/** Sends again what an endpoint did not take, or has lost. */
export function ReplayForm({ id, url }: { id: string; url: string }) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [span, setSpan] = useState(String(24 * hour));
  const [status, setStatus] = useState('failed');
  const replay = useMutation({
    mutationFn: () => {
      const since = new Date(Date.now() - Number(span)).toISOString();
      const body = { since, status };
      return request<Replayed>('POST', `/api/v1/webhooks/${id}/replay`, {
        body,
        withinMs,
        idempotencyKey: crypto.randomUUID(),
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  const show = () => {
    replay.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={show} aria-label={`Send again to ${url}`}>
        Send again
      </Button>
      <Modal opened={opened} onClose={close} title="Send deliveries again" centered>
        <Stack>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            To {url}. Each keeps its <code>webhook-id</code>, so that a receiver that has it already knows it again.
          </Text>
          <Select
            label="Which"
            allowDeselect={false}
            data={spans}
            value={span}
            onChange={(value) => setSpan(value ?? span)}
          />
          <Select
            label="Outcome"
            allowDeselect={false}
            data={statuses}
            value={status}
            onChange={(value) => setStatus(value ?? status)}
          />
          {replay.error && <ProblemNote error={replay.error} />}
          {replay.data && (
            <Text size="sm" role="status">
              {countText(replay.data.replayed)} deliver{replay.data.replayed === 1 ? 'y goes' : 'ies go'} out again.
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button loading={replay.isPending} onClick={() => replay.mutate()}>
              Send again
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
