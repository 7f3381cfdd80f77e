import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconCamera } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { toProblem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { CaptureImage } from '../../captures/capture-image.tsx';
import { ReceiptView } from '../../captures/receipt.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { durationText } from '../../ui/figures.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import type { useCapture } from './use-capture.ts';

/** The result of the submitted form. */
export function Result({ capture }: { capture: ReturnType<typeof useCapture> }) {
  const { data, error, isPending, stopWaiting } = capture;
  if (isPending) return <Capturing stopWaiting={stopWaiting} />;
  if (error) return <Failed error={error} />;
  if (data) return <Captured record={data} />;
  return (
    <Surface>
      <EmptyState icon={IconCamera} title="Your capture will appear here">
        Enter a URL, set options, and press Capture. Completed captures count towards your monthly quota; failed ones do
        not.
      </EmptyState>
    </Surface>
  );
}

function Capturing({ stopWaiting }: { stopWaiting: () => void }) {
  const [seconds, setSeconds] = useState(0);
  const { start, stop } = useInterval(() => setSeconds((passed) => passed + 1), 1_000);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  return (
    <Surface>
      <Waiting what="Capturing" />
      <Group justify="center" pb="md">
        <Text c="dimmed" size="sm" aria-hidden>
          {seconds} s
        </Text>
        <Button size="xs" variant="default" onClick={stopWaiting}>
          Stop waiting
        </Button>
      </Group>
    </Surface>
  );
}

function Captured({ record }: { record: CaptureRecord }) {
  return (
    <Stack>
      <Surface
        title="Result"
        aside={
          <Group gap="sm">
            <Status value={record.status} />
            {record.cached && <Status value="cached" tone="quiet" />}
            <Anchor component={Link} to={`/captures/${record.request_id}`} size="sm">
              {durationText(record.duration_ms)} · record
            </Anchor>
          </Group>
        }
      >
        {record.status === 'completed' ? (
          <CaptureImage record={record} />
        ) : (
          <Text>{record.error_message ?? 'It was cancelled.'}</Text>
        )}
      </Surface>
      <ReceiptView receipt={record.receipt} />
    </Stack>
  );
}

/** HTTP statuses of failed captures: these have a record, and often a receipt with the reason. */
const captureFailureStatuses: ReadonlySet<number> = new Set([422, 500, 504]);

function Failed({ error }: { error: Error }) {
  const { status, requestId } = toProblem(error);
  const { data: record } = useQuery({
    queryKey: ['capture', requestId],
    queryFn: ({ signal }) => request<CaptureRecord>('GET', `/api/v1/captures/${requestId}`, { signal }),
    enabled: requestId !== null && captureFailureStatuses.has(status),
    retry: false,
  });
  if (error.name === 'AbortError') {
    return (
      <Surface>
        <Text>You stopped waiting. If the capture completes, it appears in your captures.</Text>
      </Surface>
    );
  }
  return (
    <Stack>
      <ProblemNote error={error} />
      <ReceiptView receipt={record?.receipt} />
    </Stack>
  );
}
