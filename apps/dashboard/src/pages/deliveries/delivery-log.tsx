import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Delivery } from '../../api/answers.ts';
import { usePages } from '../../api/pages.ts';
import { useOffers } from '../../api/service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText } from '../../ui/figures.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { DeliveryFilters, filterNames } from './delivery-filters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { retryDelivery } from './retry-delivery.ts';

const refreshMs = 5_000;

/** What was sent to your endpoints in the last 30 days, and what became of it; the filters stand in the address. */
export function DeliveryLog() {
  const offers = useOffers();
  if (!offers) return <Waiting />;
  return (
    <>
      <PageHeading title="Deliveries" lead="What was sent to your endpoints in the last 30 days, attempt by attempt." />
      {offers.registration ? (
        <Log events={offers.events} />
      ) : (
        <Text>This service keeps no delivery log: an event is sent once, and only its outcome is told.</Text>
      )}
    </>
  );
}

function Log({ events }: { events: string[] }) {
  const client = useQueryClient();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { filter, isFiltered } = useFilters(filterNames);
  const pages = usePages<'deliveries', Delivery>('deliveries', '/api/v1/webhooks/deliveries', filter, {
    limit: 50,
    refetchMs: (rows) => (rows.length <= 50 && rows.some(({ status }) => status === 'pending') ? refreshMs : false),
  });
  const retry = useMutation({
    mutationFn: () => retryEach([...selected]),
    onSuccess: ({ sent, failed }) => {
      setSelected(new Set(failed));
      const title = `${countText(sent)} sent again`;
      const message =
        failed.length > 0
          ? `${countText(failed.length)} could not be; they are still chosen.`
          : 'Each makes one attempt now.';
      notifications.show({ title, message });
      return client.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
  return (
    <>
      <DeliveryFilters events={events} />
      <Surface>
        <PagedList pages={pages} what="deliveries" empty={<NoDeliveries isFiltered={isFiltered} />}>
          {(rows) => (
            <>
              <Group mb="sm" mih={36} justify="space-between">
                <Text size="sm" c="dimmed" role="status">
                  {selected.size > 0 ? `${countText(selected.size)} chosen` : 'Choose some to send them again.'}
                </Text>
                <Button
                  size="xs"
                  disabled={selected.size === 0}
                  loading={retry.isPending}
                  onClick={() => retry.mutate()}
                >
                  Send the chosen ones again
                </Button>
              </Group>
              {retry.error && <ProblemNote error={retry.error} />}
              <DeliveryTable deliveries={rows} selected={selected} onSelect={setSelected} />
            </>
          )}
        </PagedList>
      </Surface>
    </>
  );
}

/** Retries go out one after the other: a few hundred at once would be a flood that somebody else has to wait behind. */
async function retryEach(ids: string[]): Promise<{ sent: number; failed: string[] }> {
  const failed: string[] = [];
  for (const id of ids) await retryDelivery(id).catch(() => failed.push(id));
  return { sent: ids.length - failed.length, failed };
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconSend}
      title={isFiltered ? 'No delivery is like that' : 'Nothing was sent yet'}
      action={
        !isFiltered && (
          <Button component={Link} to="/webhooks" variant="default">
            Add an endpoint
          </Button>
        )
      }
    >
      {isFiltered
        ? 'Choose other filters, or show all.'
        : 'Events go to your endpoints, and to the webhook_url of a capture or batch that carries one.'}
    </EmptyState>
  );
}
