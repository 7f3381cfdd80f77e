import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { usePages } from '../../../api/pages.ts';
import type { AccountRow } from '../../../api/responses.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconSearch, IconUsers } from '../../../ui/icons.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { PagedList } from '../../../ui/paged-list.tsx';
import { Surface } from '../../../ui/surface.tsx';
import { useFilters } from '../../../ui/use-filters.ts';
import { AccountDrawer } from './account-drawer.tsx';
import { AccountTable } from './account-table.tsx';

/** All accounts, newest first, with a search by part of the email address. */
export function Accounts() {
  const { filter, isFiltered, change } = useFilters(['search']);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const pages = usePages<'accounts', AccountRow>('accounts', '/api/operator/accounts', filter, { limit: 50 });
  return (
    <>
      <PageHeading title="Accounts" lead="Plans, monthly usage, keys and secrets of all accounts." />
      <Search value={filter.search} onSearch={(text) => change('search', text)} />
      <Surface>
        <PagedList
          pages={pages}
          what="accounts"
          empty={
            <EmptyState icon={IconUsers} title={isFiltered ? 'No matching account' : 'No accounts yet'}>
              {isFiltered
                ? 'The search finds any part of the email address, and whole account IDs.'
                : 'Anyone can create an account on the sign-in page.'}
            </EmptyState>
          }
        >
          {(rows) => (
            <>
              <AccountTable accounts={rows} onOpen={setOpenedId} />
              <AccountDrawer account={rows.find(({ id }) => id === openedId)} onClose={() => setOpenedId(null)} />
            </>
          )}
        </PagedList>
      </Surface>
    </>
  );
}

/** Follows the typing. */
function Search({ value, onSearch }: { value: string | null; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(value ?? '');
  const apply = useDebouncedCallback((text: string) => onSearch(text.trim()), 300);
  const enter = (text: string) => {
    setTyped(text);
    apply(text);
  };
  return (
    <TextInput
      mb="lg"
      w={360}
      maw="100%"
      label="Email address or account ID"
      placeholder="@example.com"
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => enter('')} />}
      value={typed}
      onChange={(event) => enter(event.currentTarget.value)}
    />
  );
}
