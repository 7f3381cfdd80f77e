import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { Replayed } from '../../api/responses.ts';
import { countText } from '../../ui/figures.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { lastDay, ReplayChoice, replayTimeoutMs } from './replay-choice.tsx';

export function ReplayForm({ id, url }: { id: string; url: string }) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [span, setSpan] = useState(lastDay);
  const [status, setStatus] = useState('failed');
  const replay = useMutation({
    mutationFn: () => {
      const since = new Date(Date.now() - Number(span)).toISOString();
      const body = { since, status };
      return request<Replayed>('POST', `/api/v1/webhooks/${id}/replay`, {
        body,
        timeoutMs: replayTimeoutMs,
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
      <Button size="xs" variant="default" onClick={show} aria-label={`Replay to ${url}`}>
        Replay
      </Button>
      <Modal opened={opened} onClose={close} title="Replay deliveries" centered>
        <Stack>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            To {url}. Each delivery keeps its <code>webhook-id</code>, so that your receiver can recognize duplicates.
          </Text>
          <ReplayChoice span={span} status={status} onSpan={setSpan} onStatus={setStatus} />
          {replay.error && <ProblemNote error={replay.error} />}
          {replay.data && (
            <Text size="sm" role="status">
              {countText(replay.data.replayed)} deliver{replay.data.replayed === 1 ? 'y' : 'ies'} replayed.
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button loading={replay.isPending} onClick={() => replay.mutate()}>
              Replay
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
