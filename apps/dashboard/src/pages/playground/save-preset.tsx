import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, useState } from 'react';
import { IconPlus } from '../../ui/icons.tsx';
import { presetsAtMost } from './own-presets.ts';
import classes from './playground.module.css';

interface SavePresetProps {
  save: (label: string) => void;
  /** Whether there is no room for another preset. */
  isFull: boolean;
}

/** Asks for a name and keeps the options of the form under it. */
export function SavePreset({ save, isFull }: SavePresetProps) {
  const reasonId = useId();
  const [opened, { toggle, close }] = useDisclosure();
  const [label, setLabel] = useState('');
  const keep = () => {
    if (label.trim() === '') return;
    save(label.trim());
    setLabel('');
    close();
  };
  if (isFull) {
    return (
      <>
        <button type="button" className={classes.chip} data-quiet disabled aria-describedby={reasonId}>
          <IconPlus size={13} stroke={2} aria-hidden />
          Save as preset
        </button>
        <Text id={reasonId} size="xs" c="dimmed">
          {presetsAtMost} presets at most: delete one to save another.
        </Text>
      </>
    );
  }
  return (
    <Popover opened={opened} onChange={close} position="bottom-start" width={260} shadow="md" trapFocus>
      <Popover.Target>
        <button type="button" className={classes.chip} data-quiet onClick={toggle}>
          <IconPlus size={13} stroke={2} aria-hidden />
          Save as preset
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <TextInput
            label="Name"
            size="xs"
            maxLength={40}
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // The form around it would capture.
              event.preventDefault();
              keep();
            }}
          />
          <Text size="xs" c="dimmed">
            Stored in this browser only, without URLs, HTML, cookies, headers and passwords.
          </Text>
          <Button size="xs" onClick={keep} disabled={label.trim() === ''}>
            Save preset
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
