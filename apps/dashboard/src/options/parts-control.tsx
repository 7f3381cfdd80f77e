import { Input, NumberInput, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { partsOf } from './control.ts';
import { type ControlProps, fieldProps, placeholderOf } from './field-props.tsx';
import classes from './option-field.module.css';

type Parts = Record<string, string | number>;

/** Edits an option with several properties, each with a separate field. */
export function PartsControl(props: ControlProps) {
  const { label, description, error } = fieldProps(props);
  return (
    <fieldset className={classes.parts}>
      <Input.Label component="legend">{label}</Input.Label>
      <Input.Description mb={6}>{description}</Input.Description>
      <PartFields {...props} />
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  );
}

/** Edits one text for all properties, or a text for each. */
export function TextOrPartsControl(props: ControlProps) {
  const { name, schema, value, onChange } = props;
  const [mode, setMode] = useState(typeof value === 'object' ? 'each' : 'all');
  const shown = typeof value === 'object' ? 'each' : typeof value === 'string' ? 'all' : mode;
  const { label, description, error } = fieldProps(props);
  const choose = (chosen: string) => {
    setMode(chosen);
    onChange(undefined);
  };
  return (
    <fieldset className={classes.parts}>
      <Input.Label component="legend">{label}</Input.Label>
      <Input.Description mb={6}>{description}</Input.Description>
      <Stack gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={`${name}: all sides or each side`}
          value={shown}
          onChange={choose}
          data={[
            { value: 'all', label: 'All sides' },
            { value: 'each', label: 'Each side' },
          ]}
        />
        {shown === 'each' ? (
          <PartFields {...props} />
        ) : (
          <TextInput
            aria-label={`${name}, all sides`}
            placeholder={placeholderOf(schema)}
            value={typeof value === 'string' ? value : ''}
            onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
          />
        )}
      </Stack>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  );
}

function PartFields({ name, schema, value, onChange }: ControlProps) {
  const parts = (typeof value === 'object' && value !== null ? value : {}) as Parts;
  const change = (part: string, entered: string | number) => {
    const { [part]: _previous, ...others } = parts;
    const changed: Parts = entered === '' ? others : { ...others, [part]: entered };
    onChange(Object.keys(changed).length === 0 ? undefined : changed);
  };
  return (
    <SimpleGrid cols={2} spacing="xs">
      {Object.entries(partsOf(schema)).map(([part, partSchema]) =>
        partSchema.type === 'string' ? (
          <TextInput
            key={part}
            label={part}
            size="xs"
            type={part === 'password' ? 'password' : 'text'}
            autoComplete="off"
            placeholder={partSchema.default === undefined ? '' : String(partSchema.default)}
            value={parts[part] ?? ''}
            aria-label={`${name} ${part}`}
            onChange={(event) => change(part, event.currentTarget.value)}
          />
        ) : (
          <NumberInput
            key={part}
            label={part}
            size="xs"
            hideControls
            value={parts[part] ?? ''}
            aria-label={`${name} ${part}`}
            onChange={(entered) => change(part, entered)}
          />
        ),
      )}
    </SimpleGrid>
  );
}
