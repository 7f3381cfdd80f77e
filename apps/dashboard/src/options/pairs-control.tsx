import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconPlus, IconX } from '../ui/icons.tsx';
import { type ControlProps, fieldProps } from './field-props.tsx';
import classes from './option-field.module.css';

interface Row {
  id: number;
  name: string;
  text: string;
}

let lastRow = 0;
const row = (name = '', text = ''): Row => {
  lastRow += 1;
  return { id: lastRow, name, text };
};

const rowsOf = (value: unknown): Row[] =>
  Object.entries((value ?? {}) as Record<string, string>).map(([name, text]) => row(name, text));

/** Edits an option of names and values, such as headers. A row without a name is not part of the value. */
export function PairsControl(props: ControlProps) {
  const { name, value, onChange } = props;
  const { label, description, error } = fieldProps(props);
  const [rows, setRows] = useState(() => rowsOf(value));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setRows(rowsOf(value));
  }
  const update = (changed: Row[]) => {
    const named = changed.filter((entry) => entry.name !== '');
    const pairs = named.length === 0 ? undefined : Object.fromEntries(named.map((entry) => [entry.name, entry.text]));
    setRows(changed);
    setKnown(pairs);
    onChange(pairs);
  };
  const change = (id: number, part: Partial<Row>) =>
    update(rows.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)));
  return (
    <fieldset className={classes.parts}>
      <Input.Label component="legend">{label}</Input.Label>
      <Input.Description mb={6}>{description}</Input.Description>
      <Stack gap="xs">
        {rows.map((entry, index) => (
          <Group key={entry.id} gap={6} wrap="nowrap">
            <TextInput
              flex={2}
              size="xs"
              aria-label={`${name} ${index + 1}: name`}
              placeholder="name"
              value={entry.name}
              onChange={(event) => change(entry.id, { name: event.currentTarget.value })}
            />
            <TextInput
              flex={3}
              size="xs"
              aria-label={`${name} ${index + 1}: value`}
              placeholder="value"
              autoComplete="off"
              value={entry.text}
              onChange={(event) => change(entry.id, { text: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name} ${index + 1}`}
              onClick={() => update(rows.filter(({ id }) => id !== entry.id))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={13} aria-hidden />}
            aria-label={`Add to ${name}`}
            onClick={() => setRows([...rows, row()])}
          >
            Add
          </Button>
        </div>
      </Stack>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  );
}
