import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { processesQuery } from '../../api/operator.ts';
import type { ProcessReport } from '../../api/responses.ts';
import { Facts } from '../../captures/facts.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText, sizeText, spanText } from '../../ui/figures.ts';
import { IconServerOff } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';

type Worker = Extract<ProcessReport, { kind: 'capture-worker' }>;

const titles: Record<ProcessReport['kind'], string> = {
  'api-gateway': 'Gateway',
  'capture-worker': 'Capture worker',
  'webhook-dispatcher': 'Webhook dispatcher',
};

const browserTones = { running: 'good', starting: 'busy', failing: 'bad' } as const;

export function Processes() {
  const { data, error, refetch } = useQuery(processesQuery);
  if (!data) return <NotYet title="Processes" what="the processes" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title="Processes"
        lead="Each process sends a heartbeat every five seconds. After fifteen seconds without one, it is no longer listed."
      />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {data.processes.length === 0 ? (
        <EmptyState icon={IconServerOff} title={data.redis === 'unavailable' ? 'Redis is unavailable' : 'No processes'}>
          {data.redis === 'unavailable'
            ? 'Processes send their heartbeats to Redis, so they cannot be listed until it is back. Queues shows the workers from the database.'
            : 'A new process appears within seconds.'}
        </EmptyState>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="lg">
          {data.processes.map((process) => (
            <ProcessCard key={process.id} process={process} />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}

function ProcessCard({ process }: { process: ProcessReport }) {
  const runningS = (Date.now() - Date.parse(process.started_at)) / 1_000;
  return (
    <Surface title={titles[process.kind]} aside={<Activity process={process} />}>
      <Stack gap="md">
        <Facts
          facts={{
            Host: `${process.host}, pid ${process.pid}`,
            Uptime: `${spanText(Math.max(0, runningS))}`,
            'Last heartbeat': <Moment at={process.seen_at} />,
            Memory: sizeText(process.memory_bytes),
            Version: `${process.version}, Node ${process.node}`,
          }}
        />
        {process.kind === 'capture-worker' && <BrowserFacts browser={process.detail.browser} />}
      </Stack>
    </Surface>
  );
}

function Activity({ process }: { process: ProcessReport }) {
  if (process.kind === 'capture-worker') {
    return <Status value={`${process.detail.running} of ${process.detail.concurrency} pages`} tone="busy" />;
  }
  if (process.kind === 'webhook-dispatcher') {
    return <Status value={`${process.detail.in_flight} of ${process.detail.slots} slots`} tone="busy" />;
  }
  return <Status value="active" />;
}

function BrowserFacts({ browser }: { browser: Worker['detail']['browser'] }) {
  return (
    <div>
      <Text fw={600} size="sm" mb={6}>
        Browser <Status value={browser.state} tone={browserTones[browser.state]} />
      </Text>
      {browser.last_error && (
        <Text size="sm" mb={6} style={{ overflowWrap: 'anywhere' }}>
          {browser.last_error}
        </Text>
      )}
      <Facts
        facts={{
          Version: browser.version?.replace(/^HeadlessChrome\//, 'Chromium '),
          Started: browser.started_at && <Moment at={browser.started_at} />,
          Captures: `${countText(browser.captures)} in this run`,
          Restarts: `${countText(browser.restarts)} after crashes`,
          Memory: browser.memory_bytes === null ? null : sizeText(browser.memory_bytes),
        }}
      />
    </div>
  );
}
