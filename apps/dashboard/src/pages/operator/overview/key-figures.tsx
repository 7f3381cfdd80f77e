import { SimpleGrid, Text } from '@mantine/core';
import type { Activity, ProcessList, QueueList } from '../../../api/responses.ts';
import { countText, durationText, shareText, spanText } from '../../../ui/figures.ts';
import { Surface } from '../../../ui/surface.tsx';

interface KeyFiguresProps {
  queues: QueueList;
  activity: Activity;
  processes: ProcessList | undefined;
}

/** How many minutes show the current speed of captures. The p95 of all is at most the highest p95 of a minute. */
const recentMinutes = 5;

export function KeyFigures({ queues, activity, processes }: KeyFiguresProps) {
  const load = (name: 'captures' | 'deliveries') => queues.queues.find((queue) => queue.name === name);
  const [captures, deliveries] = [load('captures'), load('deliveries')];
  const sum = (name: 'completed' | 'failed') => activity.minutes.reduce((total, minute) => total + minute[name], 0);
  const recent = activity.minutes.slice(-recentMinutes).map(({ p95_ms }) => p95_ms ?? 0);
  const slowest = Math.max(...recent) || null;
  const workers = processes?.processes.flatMap((process) =>
    process.kind === 'capture-worker' ? [process.detail] : [],
  );
  const pages = workers?.reduce((total, { concurrency }) => total + concurrency, 0) ?? 0;
  const caches = processes?.processes.flatMap(({ detail }) =>
    'cache' in detail && detail.cache ? [detail.cache] : [],
  );
  const hits = caches?.reduce((total, cache) => total + cache.hits, 0) ?? 0;
  const uses = caches?.reduce((total, cache) => total + cache.renders, hits) ?? 0;
  const oldest = (seconds: number | null | undefined) => (seconds ? `oldest: ${spanText(seconds)}` : 'queue empty');
  return (
    <SimpleGrid cols={{ base: 2, md: 3, lg: 5 }} spacing="lg">
      <Figure
        name="Queued captures"
        value={countText(captures?.waiting ?? 0)}
        note={oldest(captures?.oldest_waiting_s)}
      />
      <Figure
        name="Captures in progress"
        value={countText(captures?.active ?? 0)}
        note={pages > 0 ? `on ${countText(pages)} pages` : `${countText(captures?.workers ?? 0)} workers`}
      />
      <Figure
        name="Completed in the last hour"
        value={countText(sum('completed'))}
        note={`${countText(sum('failed'))} failed; p95 in the last ${recentMinutes} minutes: ${slowest ? `at most ${durationText(slowest)}` : 'none'}`}
      />
      <Figure
        name="Cache hit rate"
        value={uses > 0 ? shareText((hits / uses) * 100) : '–'}
        note={
          uses > 0 ? `${countText(hits)} of ${countText(uses)} since the processes started` : 'no links, no cache_ttl_s'
        }
      />
      <Figure
        name="Deliveries due"
        value={countText(deliveries?.waiting ?? 0)}
        note={`${countText(deliveries?.active ?? 0)} in progress, ${countText(deliveries?.delayed ?? 0)} later`}
      />
    </SimpleGrid>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <Surface>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={28} fw={650} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Surface>
  );
}
