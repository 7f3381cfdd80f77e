import { Button, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { Endpoint } from '../../api/responses.ts';
import { useOffers } from '../../api/service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { ChosenDeliveries } from './chosen-deliveries.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { ownDeliveries } from './delivery-source.ts';

/** What the log is filtered by, in the API's names. */
const filterNames = ['status', 'event', 'webhook_id', 'since', 'until'] as const;

/** An account has fewer endpoints than this. */
const limit = 100;

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
  const { filter, isFiltered, change } = useFilters(filterNames);
  const { rows: endpoints } = usePages<'webhooks', Endpoint>('webhooks', '/api/v1/webhooks', {}, { limit });
  return (
    <>
      <DeliveryFilters events={events} isFiltered={isFiltered}>
        <FilterSelect
          label="Endpoint"
          w={260}
          data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
          value={filter.webhook_id}
          onChange={(value) => change('webhook_id', value)}
        />
      </DeliveryFilters>
      <ChosenDeliveries source={ownDeliveries} filter={filter} empty={<NoDeliveries isFiltered={isFiltered} />} />
    </>
  );
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
