import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { toProblem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { CaptureImage } from '../../captures/capture-image.tsx';
import { ExtractedView } from '../../captures/extracted.tsx';
import { QualityMark } from '../../captures/quality.tsx';
import { ReceiptView } from '../../captures/receipt.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { durationText } from '../../ui/figures.ts';
import { IconCamera } from '../../ui/icons.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import classes from './playground.module.css';
import type { useCapture } from './use-capture.ts';

interface ResultProps {
  capture: ReturnType<typeof useCapture>;
  /** Fills the form with the options of the shown capture. Without this function, no link leads away from the page. */
  onReuse?: (record: CaptureRecord) => void;
}

/** Shows the result of the submitted form; the previous result stays until the next is ready. */
export function Result({ capture, onReuse }: ResultProps) {
  const { shown, error, isPending, retryAt, stopWaiting } = capture;
  return (
    <Stack>
      {isPending && <Capturing retryAt={retryAt} stopWaiting={stopWaiting} />}
      {error && <Failed error={error} />}
      {shown ? (
        <div className={isPending || error ? classes.previous : ''}>
          <Captured record={shown} {...(onReuse && { onReuse })} />
        </div>
      ) : (
        !isPending &&
        !error && (
          <Surface>
            <EmptyState icon={IconCamera} title="Your capture will appear here">
              Enter a URL and press Capture. Completed captures count towards your monthly quota; failed ones do not.
            </EmptyState>
          </Surface>
        )
      )}
    </Stack>
  );
}

function Capturing({ retryAt, stopWaiting }: { retryAt: number | null; stopWaiting: () => void }) {
  const [seconds, setSeconds] = useState(0);
  const { start, stop } = useInterval(() => setSeconds((passed) => passed + 1), 1_000);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  const waitS = retryAt === null ? null : Math.max(1, Math.ceil((retryAt - Date.now()) / 1_000));
  return (
    <Surface>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <div role="status">
          <Text size="sm" fw={550}>
            {waitS === null ? 'Capturing …' : 'Too many requests'}
          </Text>
          {waitS !== null && (
            <Text size="sm" c="dimmed">
              Your plan allows no more right now. This one is sent again in a moment.
            </Text>
          )}
        </div>
        <Group gap="sm" wrap="nowrap">
          <Text c="dimmed" size="sm" aria-hidden className={classes.seconds ?? ''}>
            {waitS === null ? `${seconds} s` : `in ${waitS} s`}
          </Text>
          <Button size="xs" variant="default" onClick={stopWaiting}>
            Stop waiting
          </Button>
        </Group>
      </Group>
      <Progress value={100} animated size="xs" aria-hidden />
    </Surface>
  );
}

function Captured({ record, onReuse }: { record: CaptureRecord; onReuse?: (record: CaptureRecord) => void }) {
  const { request_id, status, cached, quality, duration_ms } = record;
  return (
    <Stack>
      <Surface title="Result" aside={<Marks record={record} />}>
        {status === 'completed' ? (
          <CaptureImage record={record} />
        ) : (
          <Text size="sm">{record.error_message ?? 'It was cancelled before it was captured.'}</Text>
        )}
        <Group justify="space-between" mt="sm" gap="xs">
          <Text size="sm" c="dimmed">
            {cached ? 'From the cache' : `Took ${durationText(duration_ms)}`}
            {quality && !quality.ok && ' · see why in the record'}
          </Text>
          {onReuse && (
            <Group gap="md">
              <Anchor component="button" type="button" size="sm" onClick={() => onReuse(record)}>
                Use these options
              </Anchor>
              <Anchor component={Link} to={`/captures/${request_id}`} size="sm">
                Open the record
              </Anchor>
            </Group>
          )}
        </Group>
      </Surface>
      <ExtractedView record={record} />
      <ReceiptView receipt={record.receipt} />
    </Stack>
  );
}

function Marks({ record: { status, cached, quality } }: { record: CaptureRecord }): ReactNode {
  return (
    <Group gap={6}>
      {cached && <Status value="cached" tone="quiet" />}
      {status === 'completed' && quality && !quality.ok ? <QualityMark quality={quality} /> : <Status value={status} />}
    </Group>
  );
}

/** HTTP statuses of failed captures, which have a record, and often a receipt with the reason. */
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
        <Text size="sm">You stopped waiting. If the capture completes, it appears in your captures.</Text>
      </Surface>
    );
  }
  return (
    <>
      <ProblemNote error={error} />
      <ReceiptView receipt={record?.receipt} />
    </>
  );
}
