import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';

/** Replaces a page that crashed; the rest of the dashboard keeps working. */
export function PageError() {
  const error = useRouteError();
  return (
    <Container size="xs" py={64}>
      <Stack role="alert">
        <Title order={1}>This page crashed</Title>
        <Text>Nothing that you captured is lost. If the service has just been updated, reload the page.</Text>
        <Text size="sm" c="dimmed">
          {error instanceof Error ? error.message : 'Unknown error'}
        </Text>
        <Group>
          <Button onClick={() => window.location.reload()}>Reload the page</Button>
          <Button variant="default" component="a" href="/dashboard">
            Go to the start page
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
