import { Text, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useOffers } from '../../api/service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { ChosenDeliveries } from '../deliveries/chosen-deliveries.tsx';
import { DeliveryView } from '../deliveries/delivery.tsx';
import { DeliveryFilters } from '../deliveries/delivery-filters.tsx';
import { allDeliveries } from '../deliveries/delivery-source.ts';
import { BulkReplay } from './bulk-replay.tsx';

/** What the list is filtered by, in the API's names. */
const filterNames = ['status', 'event', 'account_id', 'webhook_id', 'since', 'until'] as const;

/** What was sent for everybody, and what became of it. */
export function AllDeliveries() {
  const offers = useOffers();
  const { filter, isFiltered, change } = useFilters(filterNames);
  if (!offers) return <Waiting />;
  if (!offers.registration) {
    return (
      <>
        <PageHeading title="Deliveries" />
        <Text>This deployment keeps no delivery log: an event is sent once, and the log tells what came of it.</Text>
      </>
    );
  }
  return (
    <>
      <PageHeading
        title="Deliveries"
        lead="What was sent for all accounts in the last 30 days, attempt by attempt."
        actions={<BulkReplay accountId={filter.account_id} webhookId={filter.webhook_id} />}
      />
      <DeliveryFilters events={offers.events} isFiltered={isFiltered}>
        <IdFilter
          key={filter.account_id}
          label="Account (its id)"
          value={filter.account_id}
          onChange={(value) => change('account_id', value)}
        />
      </DeliveryFilters>
      <ChosenDeliveries
        source={allDeliveries}
        filter={filter}
        empty={
          <EmptyState icon={IconSend} title={isFiltered ? 'No delivery is like that' : 'Nothing was sent yet'}>
            {isFiltered ? 'Choose other filters, or show all.' : 'Events of captures and batches are listed here.'}
          </EmptyState>
        }
      />
    </>
  );
}

/** One delivery, whoever's it is. */
export function AnyDelivery() {
  return <DeliveryView source={allDeliveries} />;
}

/** An id that is typed or pasted; it counts when the field is left, or on Enter. */
function IdFilter(props: { label: string; value: string | null; onChange: (value: string) => void }) {
  const { label, value, onChange } = props;
  const [typed, setTyped] = useState(value ?? '');
  const take = () => {
    if (typed.trim() !== (value ?? '')) onChange(typed.trim());
  };
  return (
    <TextInput
      label={label}
      placeholder="All"
      w={260}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
    />
  );
}
