import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { Endpoint } from '../../api/responses.ts';
import { useOffers } from '../../api/service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { IconSend } from '../../ui/icons.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { ownDeliveries } from './delivery-source.ts';
import { SelectableDeliveries } from './selectable-deliveries.tsx';

/** Filters by their API names. */
const filterNames = ['status', 'event', 'webhook_id', 'since', 'until'] as const;

/** No account has as many endpoints. */
const limit = 100;

export function DeliveryLog() {
  const offers = useOffers();
  if (!offers) return <Waiting />;
  return (
    <>
      <PageHeading title="Deliveries" lead="Your webhook deliveries, with every attempt." />
      {offers.registration ? (
        <Log events={offers.events} />
      ) : (
        <Text>This service keeps no delivery log: each event is sent once.</Text>
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
      <SelectableDeliveries source={ownDeliveries} filter={filter} empty={<NoDeliveries isFiltered={isFiltered} />} />
    </>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconSend}
      title={isFiltered ? 'No matching deliveries' : 'No deliveries yet'}
      action={
        !isFiltered && (
          <Button component={Link} to="/webhooks" variant="default">
            Add an endpoint
          </Button>
        )
      }
    >
      {isFiltered
        ? 'Change the filters, or show all.'
        : 'Events are delivered to your endpoints, and to the webhook_url of a capture or batch.'}
    </EmptyState>
  );
}
