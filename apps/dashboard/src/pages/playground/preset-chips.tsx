import { Group, Text } from '@mantine/core';
import { IconCheck } from '../../ui/icons.tsx';
import type { FormState } from './form-link.ts';
import { useOwnPresets } from './own-presets.ts';
import classes from './playground.module.css';
import { isApplied, type Preset, presets } from './presets.ts';
import { SavePreset } from './save-preset.tsx';

interface PresetChipsProps {
  form: FormState;
  setValue: (name: string, value: unknown) => void;
}

/** Switches the options of a preset on and off, and keeps all other options. */
export function PresetChips({ form, setValue }: PresetChipsProps) {
  const own = useOwnPresets(form);
  const chip = (preset: Preset) => {
    const isOn = isApplied(preset, form.values);
    return (
      <button
        key={preset.label}
        type="button"
        className={classes.chip}
        aria-pressed={isOn}
        onClick={() => {
          for (const [name, value] of Object.entries(preset.options)) setValue(name, isOn ? undefined : value);
        }}
      >
        {isOn && <IconCheck size={13} stroke={2.4} aria-hidden />}
        {preset.label}
      </button>
    );
  };
  return (
    <Group gap={6} role="group" aria-label="Presets">
      <Text size="xs" c="dimmed" mr={2} aria-hidden>
        Start with
      </Text>
      {presets[form.type].map(chip)}
      {own.presets.map(chip)}
      {own.hasNew && <SavePreset save={own.save} />}
    </Group>
  );
}
