import { Anchor, Button, Code, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { request } from '../../api/request.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { useOffers } from '../../api/service.ts';
import { AboutError } from '../../captures/about-error.tsx';
import { adviceFor } from '../../captures/advice.ts';
import { CaptureImage } from '../../captures/capture-image.tsx';
import { ExtractedView } from '../../captures/extracted.tsx';
import { Facts } from '../../captures/facts.tsx';
import { QualityView } from '../../captures/quality.tsx';
import { ReceiptView } from '../../captures/receipt.tsx';
import { ImageTag } from '../../links/image-tag.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { durationText, kindText, pageText, sizeText } from '../../ui/figures.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { formLinkOf } from '../playground/form-link.ts';
import { CaptureDeliveries } from './capture-deliveries.tsx';

const refreshMs = 1_500;

const allCaptures = { label: 'All captures', to: '/captures' };

/** Shows one capture: the image, its record, its receipt, and its webhook deliveries. */
export function Capture() {
  const { id = '' } = useParams();
  const {
    data: record,
    error,
    refetch,
  } = useQuery({
    queryKey: ['capture', id],
    queryFn: ({ signal }) => request<CaptureRecord>('GET', `/api/v1/captures/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.completed_at === null ? refreshMs : false),
  });
  if (!record) return <NotYet title="Capture" what="the capture" error={error} retry={refetch} back={allCaptures} />;
  return <CaptureDetails record={record} />;
}

function CaptureDetails({ record }: { record: CaptureRecord }) {
  const offers = useOffers();
  return (
    <>
      <PageHeading
        title={kindText(record.type)}
        lead={<LongText text={pageText(record.url)} />}
        actions={<Actions record={record} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Stack gap="lg">
          <Surface title="Outcome" aside={<Status value={record.status} />}>
            <Outcome record={record} />
          </Surface>
          <ExtractedView record={record} />
          <QualityView quality={record.quality} />
          <ReceiptView receipt={record.receipt} />
        </Stack>
        <Stack gap="lg">
          <Surface title="Record">
            <Record record={record} />
          </Surface>
          {offers?.registration && record.completed_at !== null && (
            <Surface title="Webhook deliveries">
              <CaptureDeliveries id={record.request_id} endedAt={record.completed_at} />
            </Surface>
          )}
        </Stack>
      </SimpleGrid>
    </>
  );
}

function Actions({ record }: { record: CaptureRecord }) {
  const client = useQueryClient();
  const isInProgress = record.completed_at === null;
  const files = (record.outputs?.length ?? 0) > 1 ? 'files' : 'file';
  const remove = async () => {
    await request('DELETE', `/api/v1/captures/${record.request_id}`);
    await client.invalidateQueries({ queryKey: ['capture', record.request_id] });
    void client.invalidateQueries({ queryKey: ['captures'] });
  };
  return (
    <>
      <Button component={Link} variant="default" size="xs" to={`/playground${formLinkOf(record)}`}>
        Open in the playground
      </Button>
      {record.options.html === undefined && record.type !== 'content' && <CopyAsTag record={record} />}
      {(isInProgress || record.file_url !== null) && (
        <ConfirmButton
          label={isInProgress ? 'Cancel' : `Delete the ${files}`}
          question={isInProgress ? 'Cancel this capture?' : `Delete the ${files}?`}
          confirmLabel={isInProgress ? 'Cancel capture' : `Delete ${files}`}
          dismissLabel={isInProgress ? 'Keep it running' : 'Cancel'}
          act={remove}
        >
          {isInProgress
            ? 'It ends as cancelled and is free.'
            : 'This deletes all that was captured, and the links to it. It cannot be undone. The record remains.'}
        </ConfirmButton>
      )}
    </>
  );
}

/**
 * Copies the capture as a tag for other pages. The tag has all options, because a preset of the capture may have changed since.
 */
function CopyAsTag({ record: { type, options } }: { record: CaptureRecord }) {
  const [opened, { open, close }] = useDisclosure();
  const { preset: _preset, ...values } = options;
  const title = type === 'pdf' ? 'Copy as link tag' : 'Copy as image tag';
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {title}
      </Button>
      <Modal opened={opened} onClose={close} title={title} size="lg" centered>
        <ImageTag type={type} values={values} />
      </Modal>
    </>
  );
}

function Outcome({ record }: { record: CaptureRecord }) {
  if (record.status === 'completed') return <CaptureImage record={record} />;
  if (record.completed_at === null) return <Waiting what={record.status === 'queued' ? 'Queued' : 'Capturing'} />;
  const advice = adviceFor(record.error_code ?? '');
  return (
    <Stack gap="xs">
      {record.error_code && (
        <Text>
          <Code>{record.error_code}</Code>
        </Text>
      )}
      <Text size="sm">{record.error_message ?? 'Cancelled before it was captured. It cost nothing.'}</Text>
      {advice && <Text size="sm">{advice}</Text>}
      {record.error_code && (
        <div>
          <AboutError code={record.error_code} />
        </div>
      )}
    </Stack>
  );
}

function Record({ record }: { record: CaptureRecord }) {
  const { request_id, batch_id, metadata, options, outputs } = record;
  const size = outputs?.reduce((sum, { file_size }) => sum + file_size, 0) ?? record.file_size;
  const isSeveral = outputs !== null && outputs.length > 1;
  return (
    <Stack>
      <Facts
        facts={{
          Request: <Code>{request_id}</Code>,
          Batch: batch_id && (
            <Anchor component={Link} to={`/batches/${batch_id}`} size="sm">
              {batch_id}
            </Anchor>
          ),
          Submitted: <Moment at={record.created_at} exact />,
          Started: record.started_at && <Moment at={record.started_at} exact />,
          Ended: record.completed_at && <Moment at={record.completed_at} exact />,
          Took: record.duration_ms === null ? null : durationText(record.duration_ms),
          Size: size === null ? null : `${sizeText(size)}${isSeveral ? ` in ${outputs.length} files` : ''}`,
          [isSeveral ? 'Files expire' : 'File expires']: record.file_url && <Moment at={record.expires_at} exact />,
          Cached: record.cached ? 'yes, free of charge' : null,
        }}
      />
      <CodeBlock code={JSON.stringify(options, null, 2)} what="options" wrapped />
      {metadata && <CodeBlock code={JSON.stringify(metadata, null, 2)} what="metadata" wrapped />}
    </Stack>
  );
}
