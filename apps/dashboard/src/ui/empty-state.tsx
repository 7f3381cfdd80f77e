import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Explains why a list is empty, and what to do. */
export function EmptyState({ icon: StateIcon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
        <StateIcon size={26} stroke={1.6} />
      </ThemeIcon>
      <Title order={2} fz="lg" mt="xs">
        {title}
      </Title>
      <Text c="dimmed" maw={440}>
        {children}
      </Text>
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
