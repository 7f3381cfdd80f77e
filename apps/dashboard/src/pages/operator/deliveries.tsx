import { Text } from '@mantine/core';
import { useOffers } from '../../api/service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconSend } from '../../ui/icons.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { DeliveryView } from '../deliveries/delivery.tsx';
import { DeliveryFilters } from '../deliveries/delivery-filters.tsx';
import { allDeliveries } from '../deliveries/delivery-source.ts';
import { SelectableDeliveries } from '../deliveries/selectable-deliveries.tsx';
import { BulkReplay } from './bulk-replay.tsx';
import { IdFilter } from './id-filter.tsx';

/** Filters by their API names. */
const filterNames = ['status', 'event', 'account_id', 'webhook_id', 'since', 'until'] as const;

export function AllDeliveries() {
  const offers = useOffers();
  const { filter, isFiltered, change } = useFilters(filterNames);
  if (!offers) return <Waiting />;
  if (!offers.registration) {
    return (
      <>
        <PageHeading title="Deliveries" />
        <Text>This deployment keeps no delivery log: each event is sent once, and its outcome is in the logs.</Text>
      </>
    );
  }
  return (
    <>
      <PageHeading
        title="Deliveries"
        lead="Webhook deliveries of all accounts, with every attempt."
        actions={<BulkReplay accountId={filter.account_id} webhookId={filter.webhook_id} />}
      />
      <DeliveryFilters events={offers.events} isFiltered={isFiltered}>
        <IdFilter
          key={filter.account_id}
          label="Account ID"
          value={filter.account_id}
          onChange={(value) => change('account_id', value)}
        />
      </DeliveryFilters>
      <SelectableDeliveries
        source={allDeliveries}
        filter={filter}
        empty={
          <EmptyState icon={IconSend} title={isFiltered ? 'No matching deliveries' : 'No deliveries yet'}>
            {isFiltered ? 'Change the filters, or show all.' : 'Deliveries of captures and batches appear here.'}
          </EmptyState>
        }
      />
    </>
  );
}

export function AnyDelivery() {
  return <DeliveryView source={allDeliveries} />;
}
