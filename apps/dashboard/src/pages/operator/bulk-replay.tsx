import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { replayableQuery } from '../../api/operator.ts';
import { request } from '../../api/request.ts';
import type { Replayed } from '../../api/responses.ts';
import { boundedCountText } from '../../ui/figures.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { lastDay, ReplayChoice, replayTimeoutMs } from '../webhooks/replay-choice.tsx';

interface BulkReplayProps {
  /** Replays only deliveries of this account or endpoint; null for all. */
  accountId: string | null;
  webhookId: string | null;
}

const deliveries = (count: number) => `${boundedCountText(count)} deliver${count === 1 ? 'y' : 'ies'}`;

/** Replays many deliveries, after showing how many. */
export function BulkReplay(props: BulkReplayProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>Replay deliveries</Button>
      <Modal opened={opened} onClose={close} title="Replay deliveries" centered>
        <Form {...props} onClose={close} />
      </Modal>
    </>
  );
}

function Form({ accountId, webhookId, onClose }: BulkReplayProps & { onClose: () => void }) {
  const client = useQueryClient();
  const [span, setSpan] = useState(lastDay);
  const [status, setStatus] = useState('failed');
  // The start time is fixed, so that the replay covers the counted deliveries.
  const since = useMemo(() => new Date(Date.now() - Number(span)).toISOString(), [span]);
  const range = {
    status,
    since,
    ...(accountId !== null && { account_id: accountId }),
    ...(webhookId !== null && { webhook_id: webhookId }),
  };
  const counted = useQuery(replayableQuery(range));
  const replay = useMutation({
    mutationFn: () =>
      request<Replayed>('POST', '/api/operator/deliveries/replay', { body: range, timeoutMs: replayTimeoutMs }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['deliveries'] }),
        client.invalidateQueries({ queryKey: ['operator'] }),
      ]),
  });
  const count = counted.data?.replayable ?? 0;
  const owner = webhookId ? 'one endpoint' : accountId ? `account ${accountId}` : 'all accounts';
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Replays deliveries of {owner}. Each makes one attempt now, then starts a new schedule, and keeps its{' '}
        <code>webhook-id</code>. Those of deleted endpoints are left out. The page Cleanup jobs shows the progress of a
        long replay.
      </Text>
      <ReplayChoice span={span} status={status} onSpan={setSpan} onStatus={setStatus} />
      {(counted.error ?? replay.error) && <ProblemNote error={counted.error ?? replay.error} />}
      <Text size="sm" role="status">
        {replay.data
          ? `${deliveries(replay.data.replayed)} replayed.`
          : counted.data
            ? `${deliveries(count)} to replay.`
            : 'Counting …'}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          disabled={count === 0 || replay.data !== undefined}
          loading={replay.isPending}
          onClick={() => replay.mutate()}
        >
          {count === 0 ? 'Replay' : `Replay ${boundedCountText(count)}`}
        </Button>
      </Group>
    </Stack>
  );
}
