import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../../api/operator.ts';
import type { QueueList } from '../../api/responses.ts';
import { Facts } from '../../captures/facts.tsx';
import { countText, spanText } from '../../ui/figures.ts';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';

type Queue = QueueList['queues'][number];

const titles = {
  captures: { title: 'Captures', workers: 'Workers', delayed: undefined },
  deliveries: { title: 'Deliveries', workers: 'Dispatchers', delayed: 'To try again later' },
} as const;

/** What there is to do, as the database has it. */
export function Queues() {
  const { data, error, refetch } = useQuery(queuesQuery);
  if (!data) return <NotYet title="Queues" what="the queues" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title="Queues"
        lead="What there is to do, as the database has it: the same while Redis is away."
        actions={
          <Button
            component="a"
            href="/operator/queues"
            variant="default"
            rightSection={<IconExternalLink size={15} aria-hidden />}
          >
            Open the queue browser
          </Button>
        }
      />
      <Stack gap="lg">
        {error && <ProblemNote error={error} retry={() => void refetch()} />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          {data.queues.map((queue) => (
            <QueueCard key={queue.name} queue={queue} />
          ))}
        </SimpleGrid>
        <Text size="sm" c="dimmed" maw={720}>
          The queue browser shows what Redis holds of it: the ids of what is in turn, a window of the whole. Nothing can
          be changed there; what is to be tried again is sent from Deliveries.
        </Text>
      </Stack>
    </>
  );
}

function QueueCard({ queue }: { queue: Queue }) {
  const { title, workers, delayed } = titles[queue.name];
  return (
    <Surface
      title={title}
      aside={queue.workers === 0 ? <Status of="nobody takes from it" tone="bad" /> : <Status of="active" />}
    >
      <Facts
        facts={{
          Waiting: countText(queue.waiting),
          'The oldest for': queue.oldest_waiting_s === null ? 'none waits' : spanText(queue.oldest_waiting_s),
          'Under way': countText(queue.active),
          ...(delayed && { [delayed]: countText(queue.delayed) }),
          [workers]: countText(queue.workers),
        }}
      />
    </Surface>
  );
}
