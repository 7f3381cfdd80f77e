import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
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

/** An option of names and texts, such as headers. A row without a name yet is not part of its value. */
export function PairsControl(props: ControlProps) {
  const { name, value, onChange } = props;
  const { label, description, error } = fieldProps(props);
  const [rows, setRows] = useState(() => rowsOf(value));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setRows(rowsOf(value));
  }
  const take = (changed: Row[]) => {
    const named = changed.filter((each) => each.name !== '');
    const pairs = named.length === 0 ? undefined : Object.fromEntries(named.map((each) => [each.name, each.text]));
    setRows(changed);
    setKnown(pairs);
    onChange(pairs);
  };
  const change = (id: number, part: Partial<Row>) =>
    take(rows.map((each) => (each.id === id ? { ...each, ...part } : each)));
  return (
    <fieldset className={classes.parts}>
      <Input.Label component="legend">{label}</Input.Label>
      <Input.Description mb={6}>{description}</Input.Description>
      <Stack gap="xs">
        {rows.map((each, index) => (
          <Group key={each.id} gap={6} wrap="nowrap">
            <TextInput
              flex={2}
              size="xs"
              aria-label={`${name} ${index + 1}: name`}
              placeholder="name"
              value={each.name}
              onChange={(event) => change(each.id, { name: event.currentTarget.value })}
            />
            <TextInput
              flex={3}
              size="xs"
              aria-label={`${name} ${index + 1}: value`}
              placeholder="value"
              autoComplete="off"
              value={each.text}
              onChange={(event) => change(each.id, { text: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name} ${index + 1}`}
              onClick={() => take(rows.filter(({ id }) => id !== each.id))}
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
