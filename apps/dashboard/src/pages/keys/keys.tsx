import { Alert, Badge, Button, Code, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { Key } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconKey } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Surface } from '../../ui/surface.tsx';
import { AddKey } from './add-key.tsx';
import { nameOfKey, RotateKey } from './rotate-key.tsx';

/** Lists the keys of the account. A new key is shown once, until the user leaves the page. */
export function Keys() {
  const client = useQueryClient();
  const { state } = useLocation();
  const [shown, setShown] = useState<string | null>(null);
  const pages = usePages<'keys', Key>('keys', '/api/v1/keys');
  const refresh = () => client.invalidateQueries({ queryKey: ['keys'] });
  const show = (apiKey: string) => {
    setShown(apiKey);
    void refresh();
  };
  return (
    <>
      <PageHeading
        title="API keys"
        lead="Use keys on your servers only, never in browsers or apps. Rotate a key at once if others may have seen it."
        actions={<AddKey onAdded={show} />}
      />
      <Stack gap="lg">
        {state?.byLink && shown === null && (
          <Alert role="status" variant="outline" title="You are signed in by email" styles={noteStyles}>
            Create a new key, then revoke the ones that you lost. Your programs keep working with their keys until then.
          </Alert>
        )}
        {shown !== null && (
          <div role="status">
            <ShownOnce what="API key" secret={shown} />
            <Button mt="xs" size="xs" variant="default" onClick={() => setShown(null)}>
              I saved it
            </Button>
          </div>
        )}
        <Surface>
          <PagedList
            pages={pages}
            what="keys"
            empty={
              <EmptyState icon={IconKey} title="No keys yet">
                Create one to use the API.
              </EmptyState>
            }
          >
            {(rows) => <KeyTable keys={rows} onRotated={show} onRevoked={refresh} />}
          </PagedList>
        </Surface>
      </Stack>
    </>
  );
}

/** The theme's color of a title is too faint on this background. */
const noteStyles = { title: { color: 'var(--mantine-color-text)' } };

interface KeyTableProps {
  keys: Key[];
  onRotated: (apiKey: string) => void;
  onRevoked: () => Promise<unknown>;
}

function KeyTable({ keys, onRotated, onRevoked }: KeyTableProps) {
  return (
    <DataTable
      label="API keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Name', cell: ({ name }) => <b>{name ?? 'Unnamed'}</b> },
        { label: 'Key', cell: (key) => <KeyText apiKey={key} /> },
        { label: 'Created', fixed: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        {
          label: 'Last used',
          fixed: true,
          cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : 'never'),
        },
        {
          label: 'Actions',
          hiddenLabel: true,
          end: true,
          fixed: true,
          cell: (key) => (
            <Group gap="xs" justify="flex-end" wrap="nowrap" display="inline-flex">
              <RotateKey apiKey={key} onRotated={onRotated} />
              <ConfirmButton
                label="Revoke"
                name={`Revoke ${nameOfKey(key)}`}
                question={`Revoke ${nameOfKey(key)}?`}
                confirmLabel="Revoke key"
                act={async () => {
                  await request('DELETE', `/api/v1/keys/${key.id}`);
                  await onRevoked();
                }}
              >
                The key stops working everywhere within a second. This cannot be undone. If you signed in with it, you
                have to sign in again.
              </ConfirmButton>
            </Group>
          ),
        },
      ]}
    />
  );
}

function KeyText({ apiKey }: { apiKey: Key }) {
  return (
    <>
      <Code>
        {apiKey.prefix}…{apiKey.last_four}
      </Code>
      {apiKey.expires_at && (
        <Badge variant="outline" size="sm" ml="xs" tt="none" color="gray" c="var(--warn)">
          expires <Moment at={apiKey.expires_at} />
        </Badge>
      )}
    </>
  );
}
