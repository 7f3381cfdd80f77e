import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { IconPlus } from '../../ui/icons.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import classes from './playground.module.css';

interface SavePresetProps {
  save: UseMutationResult<unknown, Error, string>;
}

/** Asks for a name and stores the options of the form under that name. */
export function SavePreset({ save }: SavePresetProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const [name, setName] = useState('');
  const keep = () => {
    if (name === '') return;
    const onSuccess = () => {
      setName('');
      close();
    };
    save.mutate(name, { onSuccess });
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
            maxLength={64}
            value={name}
            // Names are most often refused because of blanks.
            onChange={({ currentTarget }) => setName(currentTarget.value.toLowerCase().replaceAll(' ', '-'))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Without this call the surrounding form would start a capture.
              event.preventDefault();
              keep();
            }}
          />
          <Text size="xs" c="dimmed">
            Stored in your account, without URLs and HTML. Cookies, headers and passwords are encrypted. An existing
            name gets a new version.
          </Text>
          {save.error && <ProblemNote error={save.error} />}
          <Button size="xs" onClick={keep} disabled={name === ''} loading={save.isPending}>
            Save preset
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
