import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../../api/operator.ts';
import type { QueueList } from '../../api/responses.ts';
import { Facts } from '../../captures/facts.tsx';
import { countText, spanText } from '../../ui/figures.ts';
import { IconExternalLink } from '../../ui/icons.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';

type Queue = QueueList['queues'][number];

const titles = {
  captures: { title: 'Captures', workers: 'Workers', delayed: undefined },
  deliveries: { title: 'Deliveries', workers: 'Dispatchers', delayed: 'To retry later' },
} as const;

export function Queues() {
  const { data, error, refetch } = useQuery(queuesQuery);
  if (!data) return <NotYet title="Queues" what="the queues" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title="Queues"
        lead="Queued work, from the database: also correct while Redis is unavailable."
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
          The queue browser shows the jobs in Redis: the IDs of the work that is scheduled next. It is read-only; retry
          and replay deliveries on the Deliveries page.
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
      aside={queue.workers === 0 ? <Status value="no workers" tone="bad" /> : <Status value="active" />}
    >
      <Facts
        facts={{
          Queued: countText(queue.waiting),
          Oldest: queue.oldest_waiting_s === null ? 'none' : spanText(queue.oldest_waiting_s),
          'In progress': countText(queue.active),
          ...(delayed && { [delayed]: countText(queue.delayed) }),
          [workers]: countText(queue.workers),
        }}
      />
    </Surface>
  );
}
