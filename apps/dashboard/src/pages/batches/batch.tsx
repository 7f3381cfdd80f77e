import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { request } from '../../api/request.ts';
import type { Batch, BatchWithResults } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { countText } from '../../ui/figures.ts';
import { Moment } from '../../ui/moment.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { BatchBar } from './batch-bar.tsx';
import { BatchResults } from './batch-results.tsx';
import { repeatFailed } from './submit-batch.ts';
import { batchKey, useBatchProgress } from './use-batch-progress.ts';

/** Should the stream of events not come through (some proxies hold it back), the batch is read again so often. */
const refreshMs = 10_000;

/** Cancelled, a batch has ended when the last of its captures that was running has. */
const hasEnded = ({ status, total, succeeded, failed, cancelled }: Batch) =>
  status !== 'processing' && succeeded + failed + cancelled === total;

/** One batch: how far it has come, as it comes, and what became of each item. */
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
      <Surface title="Progress" aside={<Status of={batch.status} />}>
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
          {batch.pending > 0 && `, ${countText(batch.pending)} to go`}
          {batch.cancelled > 0 && `, ${countText(batch.cancelled)} cancelled`}
        </Text>
      </Surface>
      <div style={{ height: 20 }} />
      <Surface title="Results">
        <BatchResults id={id} />
      </Surface>
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
  const again = async () => {
    const { batch_id: next, left } = await repeatFailed(batch_id);
    if (left > 0) {
      notifications.show({
        title: `${countText(left)} of them were left out`,
        message: 'They had cookies, headers or a password, which are not kept: submit them anew.',
      });
    }
    void client.invalidateQueries({ queryKey: ['batches'] });
    await navigate(`/batches/${next}`);
  };
  return (
    <Group gap="xs">
      {batch.status === 'processing' && (
        <ConfirmButton label="Cancel" question="Cancel this batch?" confirmLabel="Cancel it" act={cancel}>
          What is being captured is finished; the rest ends as cancelled and costs nothing.
        </ConfirmButton>
      )}
      {failed > 0 && hasEnded(batch) && (
        <ConfirmButton
          label={`Try ${countText(failed)} failed again`}
          question="Try what failed again?"
          confirmLabel="Submit them again"
          confirmColor="pine"
          act={again}
        >
          They become a new batch, each with the options that it had. Cookies, headers and passwords are not kept when a
          capture ends: what had some is left out, and must be submitted anew with them.
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
