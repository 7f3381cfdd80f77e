import { Accordion, Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { OptionSchema } from '../api/service.ts';
import { IconSearch } from '../ui/icons.tsx';
import type { OptionValues } from './control.ts';
import { type Faults, faultOf, faultsWithin } from './faults.ts';
import { OptionField } from './option-field.tsx';
import { groupOptions } from './option-groups.ts';

interface OptionsFormProps {
  options: Readonly<Record<string, OptionSchema>>;
  values: OptionValues;
  faults?: Faults;
  onChange: (name: string, value: unknown) => void;
}

/** Shows all options in collapsible groups, searchable by name and description. */
export function OptionsForm({ options, values, faults = {}, onChange }: OptionsFormProps) {
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<string[]>([]);
  const groups = useMemo(() => groupOptions(options), [options]);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (name: string) => {
    const text = `${name} ${name.replaceAll('_', ' ')} ${options[name]?.description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = groups
    .map(({ id, title, options: names }) => ({ id, title, names: names.filter(matches) }))
    .filter(({ names }) => names.length > 0);
  // Groups with a match or an error are open.
  const withFaults = shown
    .filter(({ names }) => names.some((name) => faultOf(faults, name) !== undefined))
    .map(({ id }) => id);
  const open = words.length > 0 ? shown.map(({ id }) => id) : [...new Set([...opened, ...withFaults])];
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        label="Find an option"
        placeholder="cookie banner, margin, device …"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shown.length === 0 && (
        <Text c="dimmed" size="sm" role="status">
          No matching option.
        </Text>
      )}
      <Accordion multiple value={open} onChange={setOpened} variant="contained" radius="md" order={3}>
        {shown.map(({ id, title, names }) => (
          <Accordion.Item key={id} value={id}>
            <Accordion.Control>
              <Group justify="space-between" pr="xs">
                <Text fw={600} size="sm">
                  {title}
                </Text>
                <SetCount names={names} values={values} />
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="lg" pt="xs">
                {names.map((name) => (
                  <OptionField
                    key={name}
                    name={name}
                    schema={options[name] as OptionSchema}
                    value={values[name]}
                    error={faultOf(faults, name)}
                    faults={name === 'outputs' ? faultsWithin(faults, name) : undefined}
                    onChange={onChange}
                  />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

function SetCount({ names, values }: { names: readonly string[]; values: OptionValues }) {
  const count = names.filter((name) => values[name] !== undefined).length;
  if (count === 0) return null;
  return (
    <Badge size="sm" variant="filled" tt="none">
      {count} set
    </Badge>
  );
}
