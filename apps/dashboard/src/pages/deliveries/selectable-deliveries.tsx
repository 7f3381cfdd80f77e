import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePages } from '../../api/pages.ts';
import type { Query } from '../../api/request.ts';
import { countText } from '../../ui/figures.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectionBar, useSelection } from '../../ui/selection-bar.tsx';
import { Surface } from '../../ui/surface.tsx';
import type { DeliverySource, OwnedDelivery } from './delivery-source.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { retryDelivery } from './retry-delivery.ts';

const refreshMs = 5_000;

export function SelectableDeliveries({
  source,
  filter,
  empty,
}: {
  source: DeliverySource;
  filter: Query;
  empty: ReactNode;
}) {
  const client = useQueryClient();
  const selection = useSelection();
  const pages = usePages<'deliveries', OwnedDelivery>('deliveries', source.api, filter, {
    limit: 50,
    refetchMs: (rows) => (rows.length <= 50 && rows.some(({ status }) => status === 'pending') ? refreshMs : false),
  });
  const retry = useMutation({
    mutationFn: () => retryEach(source, [...selection.selected]),
    onSuccess: ({ sent, failed }) => {
      selection.set(failed);
      const title = `${countText(sent)} retried`;
      const message =
        failed.length > 0
          ? `${countText(failed.length)} could not be retried; they are still selected.`
          : 'Each makes one attempt now.';
      notifications.show({ title, message });
      return client.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
  return (
    <Surface>
      <PagedList pages={pages} what="deliveries" empty={empty}>
        {(rows) => (
          <>
            <SelectionBar selection={selection} ids={rows.map(({ id }) => id)} what="deliveries">
              <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
                Retry selected
              </Button>
            </SelectionBar>
            {retry.error && <ProblemNote error={retry.error} />}
            <DeliveryTable
              source={source}
              deliveries={rows}
              selected={selection.selected}
              onToggle={selection.toggle}
            />
          </>
        )}
      </PagedList>
    </Surface>
  );
}

/** Retries deliveries one after the other: hundreds at once would delay other clients. */
async function retryEach(source: DeliverySource, ids: string[]): Promise<{ sent: number; failed: string[] }> {
  const failed: string[] = [];
  for (const id of ids) await retryDelivery(source, id).catch(() => failed.push(id));
  return { sent: ids.length - failed.length, failed };
}
