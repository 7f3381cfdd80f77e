import { deviceNames } from '@capture/contract/options/devices';
import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { OptionSchema } from '../api/service.ts';
import { controlOf } from './control.ts';
import { type ControlProps, fieldProps, placeholderOf } from './field-props.tsx';
import { JsonControl } from './json-control.tsx';
import { PairsControl } from './pairs-control.tsx';
import { PartsControl, TextOrPartsControl } from './parts-control.tsx';

const timezones = () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** An empty text or list means that the option is not set. */
const orUndefined = <Value extends string | unknown[]>(value: Value) => (value.length === 0 ? undefined : value);

export function OptionControl(props: ControlProps) {
  const { name, schema, value, onChange } = props;
  const common = fieldProps(props);
  const placeholder = placeholderOf(schema);
  switch (controlOf(name, schema)) {
    case 'switch': {
      const checked = (value ?? schema.default ?? false) as boolean;
      return <Switch {...common} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />;
    }
    case 'number':
      return (
        <NumberInput
          {...common}
          placeholder={placeholder}
          value={(value as number | undefined) ?? ''}
          min={schema.minimum ?? Number.NEGATIVE_INFINITY}
          max={schema.maximum ?? Number.POSITIVE_INFINITY}
          clampBehavior="none"
          allowDecimal={schema.type === 'number'}
          step={schema.type === 'number' ? 0.1 : 1}
          onChange={(entered) => onChange(typeof entered === 'number' ? entered : undefined)}
        />
      );
    case 'choice':
    case 'device':
    case 'timezone':
      return (
        <Select
          {...common}
          placeholder={placeholder}
          data={schema.enum ?? (name === 'device' ? [...deviceNames] : timezones())}
          searchable={!schema.enum}
          limit={60}
          clearable
          value={(value as string | undefined) ?? null}
          onChange={(chosen) => onChange(chosen ?? undefined)}
          comboboxProps={{ keepMounted: false }}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...common}
          placeholder={value === undefined ? 'none' : ''}
          data={schema.items?.enum ?? []}
          value={(value as string[] | undefined) ?? []}
          onChange={(chosen) => onChange(orUndefined(chosen))}
          comboboxProps={{ keepMounted: false }}
        />
      );
    case 'texts':
      return (
        <TagsInput
          {...common}
          placeholder={value === undefined ? `${placeholder || 'none'}; Enter adds one` : ''}
          value={[value ?? []].flat().map(String)}
          splitChars={[]}
          acceptValueOnBlur
          onChange={(entered) => onChange(orUndefined(entered.map((text) => entryOf(schema, text))))}
        />
      );
    case 'code':
      return (
        <Textarea
          {...common}
          placeholder={placeholder}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          value={(value as string | undefined) ?? ''}
          onChange={(event) => onChange(orUndefined(event.currentTarget.value))}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          placeholder={placeholder}
          value={(value as string | undefined) ?? ''}
          onChange={(event) => onChange(orUndefined(event.currentTarget.value))}
        />
      );
    case 'parts':
      return <PartsControl {...props} />;
    case 'text or parts':
      return <TextOrPartsControl {...props} />;
    case 'pairs':
      return <PairsControl {...props} />;
    case 'outputs':
    case 'json':
      return <JsonControl {...props} />;
  }
}

/** Converts a list entry to the type that its schema allows: 404 becomes a number where numbers are allowed, 5xx stays text. */
function entryOf({ items }: OptionSchema, text: string): string | number {
  const numbers = items?.anyOf?.some(({ type }) => type === 'integer' || type === 'number');
  return numbers && /^\d+$/.test(text) ? Number(text) : text;
}
