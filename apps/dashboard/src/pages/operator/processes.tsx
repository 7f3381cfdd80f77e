import { SimpleGrid, Stack, Text } from '@mantine/core';
import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { processesQuery } from '../../api/operator.ts';
import type { ProcessReport } from '../../api/responses.ts';
import { Facts } from '../../captures/facts.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText, sizeText, spanText } from '../../ui/figures.ts';
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

/** Who is there: gateways, workers with their browsers, dispatchers. */
export function Processes() {
  const { data, error, refetch } = useQuery(processesQuery);
  if (!data) return <NotYet title="Processes" what="the processes" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title="Processes"
        lead="Each reports itself every five seconds. One that has not for fifteen is not listed any more."
      />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {data.processes.length === 0 ? (
        <EmptyState icon={IconServerOff} title={data.redis === 'away' ? 'Redis is away' : 'Nobody has reported'}>
          {data.redis === 'away'
            ? 'Processes report themselves there, so that nobody can be asked for until it is back. Queues shows who gives a sign of life in the database.'
            : 'A process that has just begun does so within seconds.'}
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
            Running: `for ${spanText(Math.max(0, runningS))}`,
            Seen: <Moment at={process.seen_at} />,
            Memory: sizeText(process.memory_bytes),
            Version: `${process.version}, Node ${process.node}`,
          }}
        />
        {process.kind === 'capture-worker' && <BrowserFacts browser={process.detail.browser} />}
      </Stack>
    </Surface>
  );
}

/** How busy it is. */
function Activity({ process }: { process: ProcessReport }) {
  if (process.kind === 'capture-worker') {
    return <Status of={`${process.detail.running} of ${process.detail.concurrency} pages`} tone="busy" />;
  }
  if (process.kind === 'webhook-dispatcher') {
    return <Status of={`${process.detail.in_flight} of ${process.detail.places} places`} tone="busy" />;
  }
  return <Status of="active" />;
}

function BrowserFacts({ browser }: { browser: Worker['detail']['browser'] }) {
  return (
    <div>
      <Text fw={600} size="sm" mb={6}>
        Its browser <Status of={browser.state} tone={browserTones[browser.state]} />
      </Text>
      {browser.last_error && (
        <Text size="sm" mb={6} style={{ overflowWrap: 'anywhere' }}>
          {browser.last_error}
        </Text>
      )}
      <Facts
        facts={{
          Version: browser.version,
          Started: browser.started_at && <Moment at={browser.started_at} />,
          Captures: `${countText(browser.captures)} with this one`,
          Restarts: `${countText(browser.restarts)} after it had ended by itself`,
          Memory: browser.memory_bytes === null ? null : sizeText(browser.memory_bytes),
        }}
      />
    </div>
  );
}
