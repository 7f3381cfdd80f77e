import { Button, Group, TextInput } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { usePages } from '../../../api/pages.ts';
import type { AccountRow } from '../../../api/responses.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { PagedList } from '../../../ui/paged-list.tsx';
import { Surface } from '../../../ui/surface.tsx';
import { useFilters } from '../../../ui/use-filters.ts';
import { AccountDrawer } from './account-drawer.tsx';
import { AccountTable } from './account-table.tsx';

/** All accounts, newest first, with a search by exact email address. */
export function Accounts() {
  const { filter, isFiltered, change } = useFilters(['email']);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const pages = usePages<'accounts', AccountRow>('accounts', '/api/operator/accounts', filter, { limit: 50 });
  return (
    <>
      <PageHeading title="Accounts" lead="Plans, monthly usage, keys and secrets of all accounts." />
      <Search key={filter.email} email={filter.email ?? ''} onSearch={(email) => change('email', email)} />
      <Surface>
        <PagedList
          pages={pages}
          what="accounts"
          empty={
            <EmptyState icon={IconUsers} title={isFiltered ? 'No account with this email address' : 'No accounts yet'}>
              {isFiltered
                ? 'The search needs the full address, in upper or lower case.'
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

function Search({ email, onSearch }: { email: string; onSearch: (email: string) => void }) {
  const [typed, setTyped] = useState(email);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Group mb="lg" align="flex-end" gap="sm">
        <TextInput
          type="search"
          label="Email address"
          w={320}
          maw="100%"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
        {email !== '' && (
          <Button variant="subtle" onClick={() => onSearch('')}>
            Show all
          </Button>
        )}
      </Group>
    </form>
  );
}
