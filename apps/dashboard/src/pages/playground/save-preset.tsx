import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconPlus } from '../../ui/icons.tsx';
import classes from './playground.module.css';

/** Asks for a name and keeps the options of the form under it. */
export function SavePreset({ save }: { save: (label: string) => void }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [label, setLabel] = useState('');
  const keep = () => {
    if (label.trim() === '') return;
    save(label.trim());
    setLabel('');
    close();
  };
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
            Stored in this browser only, without the URL, cookies, headers and passwords.
          </Text>
          <Button size="xs" onClick={keep} disabled={label.trim() === ''}>
            Save preset
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
