import { Anchor, Button, Code, SimpleGrid, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { request } from '../../api/request.ts';
import type { DeliveryWithAttempts } from '../../api/responses.ts';
import { useUser } from '../../app/session-context.ts';
import { Facts } from '../../captures/facts.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Verifying } from '../webhooks/verifying.tsx';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { type DeliverySource, ownDeliveries } from './delivery-source.ts';
import { RequestHeaders } from './request-headers.tsx';
import { retryDelivery } from './retry-delivery.ts';

const refreshMs = 2_000;

/** The account of a delivery, which only the operator sees. */
type Owned = { account_id?: string; account_email?: string };

export function DeliveryPage() {
  return <DeliveryView source={ownDeliveries} aside={<Verifying />} />;
}

/** Shows one delivery: its payload, every attempt, and a retry button. */
export function DeliveryView({ source, aside }: { source: DeliverySource; aside?: ReactNode }) {
  const { id = '' } = useParams();
  const {
    data: delivery,
    error,
    refetch,
  } = useQuery({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) =>
      request<DeliveryWithAttempts & Owned>('GET', `${source.api}/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? refreshMs : false),
  });
  if (!delivery) return <NotYet title="Delivery" what="the delivery" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title={delivery.event}
        lead={<LongText text={`to ${delivery.url}`} />}
        actions={<Retry source={source} id={id} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Stack gap="lg">
          <Surface title="Attempts" aside={<Status value={delivery.status} />}>
            <AttemptTimeline delivery={delivery} />
          </Surface>
          <Surface title="Details">
            <Details delivery={delivery} />
          </Surface>
        </Stack>
        <Stack gap="lg">
          <Surface title="Request headers">
            <RequestHeaders delivery={delivery} />
          </Surface>
          <Surface title="Body">
            <CodeBlock code={JSON.stringify(delivery.payload, null, 2)} what="JSON body" title="JSON" wrapped />
          </Surface>
          {aside}
        </Stack>
      </SimpleGrid>
    </>
  );
}

function Retry({ source, id }: { source: DeliverySource; id: string }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryDelivery(source, id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['deliveries'] });
      return client.invalidateQueries({ queryKey: ['delivery', id] });
    },
  });
  return (
    <Stack gap="xs" align="flex-end">
      <Button loading={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </Button>
      {retry.error && <ProblemNote error={retry.error} />}
    </Stack>
  );
}

/** Links to the deliveries of an endpoint, which has no page. */
function EndpointLink({ id, isOwn }: { id: string; isOwn: boolean }) {
  if (!isOwn) return <Code>{id}</Code>;
  return (
    <Anchor component={Link} to={`/deliveries?webhook_id=${id}`} size="sm">
      {id}
    </Anchor>
  );
}

function Details({ delivery }: { delivery: DeliveryWithAttempts & Owned }) {
  const { event_id, request_id, batch_id, webhook_id, account_id, account_email } = delivery;
  const { role } = useUser();
  // The operator has no page for a single capture.
  const linked = (id: string | null, path: string) =>
    id &&
    (role === 'operator' ? (
      <Code>{id}</Code>
    ) : (
      <Anchor component={Link} to={`${path}/${id}`} size="sm">
        {id}
      </Anchor>
    ));
  return (
    <Facts
      facts={{
        'webhook-id': <Code>{event_id}</Code>,
        Account: account_id && (
          <Anchor component={Link} to={`/operator/deliveries?account_id=${account_id}`} size="sm">
            {account_email || account_id}
          </Anchor>
        ),
        Capture: linked(request_id, '/captures'),
        Batch: linked(batch_id, '/batches'),
        Endpoint: webhook_id ? (
          <EndpointLink id={webhook_id} isOwn={role !== 'operator'} />
        ) : (
          'webhook_url of the request'
        ),
        Created: <Moment at={delivery.created_at} exact />,
        Ended: delivery.completed_at && <Moment at={delivery.completed_at} exact />,
      }}
    />
  );
}
