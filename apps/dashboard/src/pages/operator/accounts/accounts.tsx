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

/** Everybody who has a key, the newest first; one is found by the whole of its address. */
export function Accounts() {
  const { filter, isFiltered, change } = useFilters(['email']);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const pages = usePages<'accounts', AccountRow>('accounts', '/api/operator/accounts', filter, { limit: 50 });
  return (
    <>
      <PageHeading title="Accounts" lead="Plans, usage of this month, keys and secrets of who uses the service." />
      <Search key={filter.email} email={filter.email ?? ''} onSearch={(email) => change('email', email)} />
      <Surface>
        <PagedList
          pages={pages}
          what="accounts"
          empty={
            <EmptyState icon={IconUsers} title={isFiltered ? 'Nobody has this address' : 'No account yet'}>
              {isFiltered
                ? 'The whole address is looked for, in any case of letters.'
                : 'Whoever enters an e-mail address on the sign-in page gets one.'}
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
          label="E-mail address"
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
