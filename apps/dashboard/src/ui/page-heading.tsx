import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeadingProps {
  title: string;
  /** One sentence about the page. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** Shows the heading of a page, and sets the window title. */
export function PageHeading({ title, lead, actions }: PageHeadingProps) {
  useEffect(() => {
    document.title = `${title} · Capture platform`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="md">
      <Stack gap={4} maw={720}>
        <Title order={1}>{title}</Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </Stack>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
