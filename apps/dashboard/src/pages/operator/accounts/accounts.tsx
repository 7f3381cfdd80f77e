import { useState } from 'react';
import { usePages } from '../../../api/pages.ts';
import type { AccountRow } from '../../../api/responses.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconUsers } from '../../../ui/icons.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { PagedList } from '../../../ui/paged-list.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Surface } from '../../../ui/surface.tsx';
import { useFilters } from '../../../ui/use-filters.ts';
import { AccountDrawer } from './account-drawer.tsx';
import { AccountTable } from './account-table.tsx';

/** Lists all accounts, newest first, with a search by part of the email address. */
export function Accounts() {
  const { filter, isFiltered, change } = useFilters(['search']);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const pages = usePages<'accounts', AccountRow>('accounts', '/api/operator/accounts', filter, { limit: 50 });
  return (
    <>
      <PageHeading title="Accounts" lead="Plans, monthly usage, keys and secrets of all accounts." />
      <SearchField
        mb="lg"
        w={360}
        maw="100%"
        label="Email address or account ID"
        placeholder="@example.com"
        value={filter.search}
        onChange={(text) => change('search', text)}
      />
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
