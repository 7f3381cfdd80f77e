import { Anchor, Code, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { StoredPreset } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconBookmark } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Surface } from '../../ui/surface.tsx';

/** Lists the presets of the account: named options that requests use by `preset`. */
export function Presets() {
  const client = useQueryClient();
  const pages = usePages<'presets', StoredPreset>('presets', '/api/v1/presets');
  const refresh = () => client.invalidateQueries({ queryKey: ['presets'] });
  return (
    <>
      <PageHeading title="Presets" lead="Options under a name: send preset=name instead of repeating them." />
      <Surface>
        <PagedList
          pages={pages}
          what="presets"
          empty={
            <EmptyState icon={IconBookmark} title="No presets yet">
              Choose options in the playground, then save them as a preset.
            </EmptyState>
          }
        >
          {(rows) => <PresetTable presets={rows} onDeleted={refresh} />}
        </PagedList>
      </Surface>
    </>
  );
}

function PresetTable({ presets, onDeleted }: { presets: StoredPreset[]; onDeleted: () => Promise<unknown> }) {
  return (
    <DataTable
      label="Presets"
      rows={presets}
      keyOf={({ name }) => name}
      columns={[
        {
          label: 'Name',
          cell: ({ name, version }) => (
            <>
              <b>{name}</b>@{version}
            </>
          ),
        },
        { label: 'Options', cell: ({ options }) => <Code>{JSON.stringify(options)}</Code> },
        { label: 'Saved', fixed: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        {
          label: 'Actions',
          hiddenLabel: true,
          end: true,
          fixed: true,
          cell: (preset) => (
            <Group gap="xs" justify="flex-end" wrap="nowrap" display="inline-flex">
              <Anchor component={Link} to={playgroundOf(preset)} size="sm" aria-label={`Use ${preset.name}`}>
                Use
              </Anchor>
              <ConfirmButton
                label="Delete"
                name={`Delete ${preset.name}`}
                question={`Delete ${preset.name}?`}
                confirmLabel="Delete preset"
                act={async () => {
                  await request('DELETE', `/api/v1/presets/${preset.name}`);
                  await onDeleted();
                }}
              >
                All its versions are deleted, and requests that name it fail from then on. This cannot be undone.
              </ConfirmButton>
            </Group>
          ),
        },
      ]}
    />
  );
}

/** Links to the playground with the preset chosen. */
function playgroundOf({ name }: StoredPreset): string {
  return `/playground#${new URLSearchParams({ options: JSON.stringify({ preset: name }) })}`;
}
