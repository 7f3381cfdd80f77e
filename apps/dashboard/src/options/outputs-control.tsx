import { Button, Checkbox, Group, Input, SimpleGrid, Stack } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { IconPlus } from '../ui/icons.tsx';
import { kindsOf } from './control.ts';
import { faultsWithin } from './faults.ts';
import { type ControlProps, fieldProps } from './field-props.tsx';
import classes from './option-field.module.css';
import { type Output, OutputRow, titleOf } from './output-row.tsx';

/** Kinds that a capture may have several times. Each has a button that adds an output; other kinds have a checkbox. */
const repeated: readonly string[] = ['screenshot'];

interface Row {
  id: number;
  output: Output;
}

let lastRow = 0;
const rowOf = (output: Output): Row => {
  lastRow += 1;
  return { id: lastRow, output };
};

/** `["pdf"]`, `"pdf,markdown"` and a list of objects mean the same. */
const rowsOf = (value: unknown): Row[] => {
  const entries = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return entries.map((entry) => rowOf(typeof entry === 'string' ? { kind: entry.trim() } : entry));
};

/** Edits the further files of a capture: a checkbox for each kind, and the options of each file that has some. */
export function OutputsControl(props: ControlProps) {
  const { schema, value, faults = {}, onChange } = props;
  const { label, description, error } = fieldProps(props);
  const [rows, setRows] = useState(() => rowsOf(value));
  const [known, setKnown] = useState(value);
  // The value was changed elsewhere: reset, or restored from a link.
  if (value !== known) {
    setKnown(value);
    setRows(rowsOf(value));
  }
  const update = (changed: Row[]) => {
    const outputs = changed.length === 0 ? undefined : changed.map(({ output }) => output);
    setRows(changed);
    setKnown(outputs);
    onChange(outputs);
  };
  const kinds = kindsOf(schema);
  const single = Object.keys(kinds).filter((kind) => !repeated.includes(kind));
  const has = (kind: string) => rows.some(({ output }) => output.kind === kind);
  const listId = useId();
  const inputIdOf = (kind: string) => `${listId}-${kind}`;
  // A kind that is chosen again gets its previous options.
  const removed = useRef(new Map<string, Output>());
  const remove = ({ id, output }: Row) => {
    if (!repeated.includes(output.kind)) removed.current.set(output.kind, output);
    update(rows.filter((row) => row.id !== id));
    document.getElementById(inputIdOf(output.kind))?.focus();
  };
  const toggle = (kind: string) => {
    const row = rows.find(({ output }) => output.kind === kind);
    if (row) remove(row);
    else update([...rows, rowOf(removed.current.get(kind) ?? { kind })]);
  };
  const isFull = rows.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY);
  return (
    <fieldset className={classes.parts}>
      <Input.Label component="legend">{label}</Input.Label>
      <Input.Description mb="sm">{description}</Input.Description>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, lg: 3 }} spacing="xs" verticalSpacing="xs">
          {single.map((kind) => (
            <Checkbox
              key={kind}
              id={inputIdOf(kind)}
              size="sm"
              label={titleOf(kind)}
              checked={has(kind)}
              disabled={isFull && !has(kind)}
              onChange={() => toggle(kind)}
            />
          ))}
        </SimpleGrid>
        {rows.map(({ id, output }, index) => (
          <OutputRow
            key={id}
            number={index + 1}
            output={output}
            schema={kinds[output.kind]}
            faults={faultsWithin(faults, String(index))}
            onChange={(changed) => update(rows.map((row) => (row.id === id ? { id, output: changed } : row)))}
            onRemove={() => remove({ id, output })}
          />
        ))}
        <Group gap="xs">
          {repeated.map((kind) => (
            <Button
              key={kind}
              id={inputIdOf(kind)}
              size="compact-sm"
              variant="default"
              disabled={isFull}
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => update([...rows, rowOf({ kind })])}
            >
              Add a {kind}
            </Button>
          ))}
        </Group>
      </Stack>
      {error && Object.keys(faults).length === 0 && <Input.Error mt={6}>{error}</Input.Error>}
    </fieldset>
  );
}
