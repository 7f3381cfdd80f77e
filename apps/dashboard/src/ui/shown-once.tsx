import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Copy } from './copy.tsx';
import classes from './shown-once.module.css';

/** A key or secret that nobody can read again: it is in this part of the page alone, and gone with it. */
export function ShownOnce({ what, secret, note }: { what: string; secret: string; note?: string }) {
  return (
    <Alert
      variant="outline"
      color="yellow"
      icon={<IconKey aria-hidden />}
      title={`Your ${what}: copy it now`}
      styles={{
        title: { color: 'var(--warn)' },
        root: { background: 'var(--warn-ground)' },
        icon: { color: 'var(--warn)' },
      }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {note ?? 'It is shown this once and cannot be read again. Keep it where your server finds it.'}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <code className={classes.secret}>{secret}</code>
          <Copy text={secret} what={what} />
        </Group>
      </Stack>
    </Alert>
  );
}
