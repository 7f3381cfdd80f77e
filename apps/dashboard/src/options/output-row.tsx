import { ActionIcon, Button, Group, Input, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { OptionSchema } from '../api/service.ts';
import { IconX } from '../ui/icons.tsx';
import { canShow, controlOf } from './control.ts';
import { type Faults, faultOf } from './faults.ts';
import type { ControlProps } from './field-props.tsx';
import { OptionControl } from './option-control.tsx';
import classes from './option-field.module.css';

export interface Output {
  kind: string;
  name?: string;
  [option: string]: unknown;
}

const titles: Readonly<Record<string, string>> = {
  screenshot: 'Screenshot',
  pdf: 'PDF',
  og_image: 'OG image',
  html: 'HTML',
  mhtml: 'MHTML',
  markdown: 'Markdown',
  text: 'Text',
  metadata: 'Metadata',
  links: 'Links',
  accessibility: 'Accessibility tree',
  har: 'Network log (HAR)',
};

export const titleOf = (kind: string) => titles[kind] ?? kind;

/** The options that are shown first. Their names need no explanation. */
const usual: readonly string[] = [
  ...['device', 'width', 'height', 'format', 'selector', 'dark_mode', 'full_page'],
  ...['paper', 'page_ranges', 'landscape', 'single_page', 'template', 'theme', 'title', 'only_main_content'],
];

/** Options that share a line; switches and texts have a separate line. */
const short: readonly string[] = ['device', 'format', 'width', 'height', 'paper', 'page_ranges', 'template', 'theme'];

/** Options that a device sets. */
const ofDevice: readonly string[] = ['width', 'height', 'device_scale_factor'];

interface OutputRowProps {
  /** The row's position in the list, from 1. */
  number: number;
  output: Output;
  /** Undefined for a kind that this service does not know. */
  schema: OptionSchema | undefined;
  /** The service's errors about this output, by option. */
  faults: Faults;
  onChange: (output: Output) => void;
  onRemove: () => void;
}

/** Edits a further file: its name and its options. Options from a link that no control can show are hidden. */
export function OutputRow({ number, output, schema, faults, onChange, onRemove }: OutputRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const moreId = useId();
  const { kind: _kind, name: _name, ...options } = schema?.properties ?? {};
  const names = Object.keys(options).filter((name) => output.device === undefined || !ofDevice.includes(name));
  const first = usual.filter((name) => names.includes(name));
  const more = names.filter((name) => !usual.includes(name));
  const set = (name: string, value: unknown) => {
    const { [name]: _previous, ...others } = output;
    const isDefault = value === undefined || value === '' || value === options[name]?.default;
    const { width: _width, height: _height, device_scale_factor: _scale, ...ofNoSize } = others;
    const kept = name === 'device' && value !== undefined ? ofNoSize : others;
    onChange((isDefault ? kept : { ...kept, [name]: value }) as Output);
  };
  const control = (name: string, isBrief: boolean) => {
    const { description, ...rest } = options[name] as OptionSchema;
    const shown = isBrief ? rest : { ...rest, ...(description !== undefined && { description }) };
    if (name === 'dark_mode')
      return (
        <Scheme key={name} value={output[name]} error={faultOf(faults, name)} onChange={(value) => set(name, value)} />
      );
    return (
      <OptionControl
        key={name}
        name={name}
        schema={shown}
        value={canShow(controlOf(name, rest), output[name]) ? output[name] : undefined}
        error={faultOf(faults, name)}
        onChange={(value) => set(name, value)}
      />
    );
  };
  const isMoreShown = isOpen || more.some((name) => faultOf(faults, name) !== undefined);
  const shownBesideControls = new Set([...names, 'name']);
  const others = Object.entries(faults).filter(([field]) => !shownBesideControls.has(field.split('.')[0] ?? ''));
  const title = `${titleOf(output.kind)}, output ${number}`;
  return (
    <fieldset className={classes.output} aria-label={title}>
      <Group gap="xs" wrap="nowrap">
        <Text fw={600} size="sm" flex={1}>
          {titleOf(output.kind)}
        </Text>
        <TextInput
          size="xs"
          w={150}
          aria-label={`Name of ${title}`}
          placeholder={`name: ${output.kind}`}
          value={typeof output.name === 'string' ? output.name : ''}
          error={faultOf(faults, 'name')}
          onChange={(event) => set('name', event.currentTarget.value)}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${title}`} onClick={onRemove}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </Group>
      {output.kind === 'screenshot' && (
        <Text size="xs" c="dimmed" mt={4}>
          Viewport, device and scheme are those of the capture unless set.
        </Text>
      )}
      {first.length > 0 && (
        <Stack gap="xs" mt="xs">
          <SimpleGrid cols={2} spacing="xs" verticalSpacing="xs">
            {first.filter((name) => short.includes(name)).map((name) => control(name, true))}
          </SimpleGrid>
          {first.filter((name) => !short.includes(name)).map((name) => control(name, true))}
        </Stack>
      )}
      {more.length > 0 && (
        <Button
          mt="xs"
          size="compact-xs"
          variant="subtle"
          aria-expanded={isMoreShown}
          aria-controls={moreId}
          aria-label={`${isMoreShown ? 'Fewer' : 'More'} options of ${title}`}
          onClick={() => setIsOpen(!isMoreShown)}
        >
          {isMoreShown ? 'Fewer options' : `${more.length} more options`}
        </Button>
      )}
      <Stack gap="md" mt="xs" id={moreId} hidden={!isMoreShown}>
        {isMoreShown && more.map((name) => control(name, false))}
      </Stack>
      {others.map(([field, message]) => (
        <Input.Error key={field} mt={6}>
          {field} {message}
        </Input.Error>
      ))}
    </fieldset>
  );
}

/** Chooses light, dark, or the scheme of the capture. */
function Scheme({ value, error, onChange }: Pick<ControlProps, 'value' | 'error' | 'onChange'>) {
  return (
    <Select
      label={<span className={classes.name}>dark_mode</span>}
      data={[
        { value: 'true', label: 'dark' },
        { value: 'false', label: 'light' },
      ]}
      placeholder="as the capture"
      error={error}
      clearable
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : chosen === 'true')}
      comboboxProps={{ keepMounted: false }}
    />
  );
}
