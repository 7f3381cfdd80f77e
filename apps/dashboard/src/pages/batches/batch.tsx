import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { request } from '../../api/request.ts';
import type { Batch, BatchWithResults } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { countText } from '../../ui/figures.ts';
import { IconDownload } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { BatchBar } from './batch-bar.tsx';
import { BatchResults } from './batch-results.tsx';
import { repeatFailed } from './submit-batch.ts';
import { batchKey, useBatchProgress } from './use-batch-progress.ts';

/** Refresh interval in case a proxy holds back the event stream, milliseconds. */
const refreshMs = 10_000;

/** A cancelled batch ends when its running captures have ended. */
const hasEnded = ({ status, total, succeeded, failed, cancelled }: Batch) =>
  status !== 'processing' && succeeded + failed + cancelled === total;

export function BatchPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/batches/${encodeURIComponent(id)}`;
  const {
    data: batch,
    error,
    refetch,
  } = useQuery({
    queryKey: batchKey(id),
    queryFn: ({ signal }): Promise<Batch> => request<BatchWithResults>('GET', path, { query: { limit: 1 }, signal }),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? refreshMs : false),
  });
  useBatchProgress(id, batch !== undefined && !hasEnded(batch));
  if (!batch) return <NotYet title="Batch" what="the batch" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title={`Batch of ${countText(batch.total)}`}
        lead={<span style={{ overflowWrap: 'anywhere' }}>{batch.batch_id}</span>}
        actions={<Actions batch={batch} path={path} />}
      />
      <Surface title="Progress" aside={<Status value={batch.status} />}>
        <div aria-live="polite">
          <BatchBar batch={batch} size="lg" />
        </div>
        <Text size="sm" c="dimmed" mt="xs">
          Submitted <Moment at={batch.created_at} />
          {batch.completed_at && (
            <>
              , ended <Moment at={batch.completed_at} exact />
            </>
          )}
          {batch.pending > 0 && `, ${countText(batch.pending)} pending`}
          {batch.cancelled > 0 && `, ${countText(batch.cancelled)} cancelled`}
        </Text>
      </Surface>
      <div style={{ height: 'var(--mantine-spacing-lg)' }} />
      <BatchResults id={id} />
    </>
  );
}

function Actions({ batch, path }: { batch: Batch; path: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { batch_id, succeeded, failed } = batch;
  const cancel = async () => {
    const cancelled = await request<Batch>('POST', `${path}/cancel`);
    client.setQueryData(batchKey(batch_id), cancelled);
  };
  const retryFailed = async () => {
    const { batch_id: next, skipped } = await repeatFailed(batch_id);
    if (skipped > 0) {
      notifications.show({
        title: `${countText(skipped)} captures were skipped`,
        message: 'They had cookies, headers, a password or HTML, which are not kept. Submit them again yourself.',
      });
    }
    void client.invalidateQueries({ queryKey: ['batches'] });
    await navigate(`/batches/${next}`);
  };
  return (
    <Group gap="xs">
      {batch.status === 'processing' && (
        <ConfirmButton
          label="Cancel"
          question="Cancel this batch?"
          confirmLabel="Cancel batch"
          dismissLabel="Keep it running"
          act={cancel}
        >
          Captures in progress are finished. The rest end as cancelled and are free.
        </ConfirmButton>
      )}
      {failed > 0 && hasEnded(batch) && (
        <ConfirmButton
          label={`Retry ${countText(failed)} failed`}
          question="Retry the failed captures?"
          confirmLabel="Retry"
          confirmColor="pine"
          act={retryFailed}
        >
          They become a new batch with the same options. Cookies, headers, passwords and submitted HTML are deleted when
          a capture ends, so captures that had them are skipped.
        </ConfirmButton>
      )}
      {succeeded > 0 && (
        <Button
          component="a"
          size="xs"
          href={`${path}/archive`}
          download={`${batch_id}.zip`}
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          Download all
        </Button>
      )}
    </Group>
  );
}
