import { Alert, Group, Stack, Text } from '@mantine/core';
import { Copy } from './copy.tsx';
import { IconKey } from './icons.tsx';
import classes from './shown-once.module.css';

/** Shows a key or secret that cannot be read again: only this component has it. */
export function ShownOnce({ what, secret, note }: { what: string; secret: string; note?: string }) {
  return (
    <Alert
      variant="outline"
      color="yellow"
      icon={<IconKey aria-hidden />}
      title={`Copy your ${what} now`}
      styles={{
        title: { color: 'var(--warn)' },
        root: { background: 'var(--warn-ground)' },
        icon: { color: 'var(--warn)' },
      }}
    >
      <Stack gap="xs">
        <Text size="sm">{note ?? 'It is shown only once. Store it where your server can read it.'}</Text>
        <Group gap="xs" wrap="nowrap">
          <code className={classes.secret}>{secret}</code>
          <Copy text={secret} what={what} />
        </Group>
      </Stack>
    </Alert>
  );
}
