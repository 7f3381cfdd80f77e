import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';

/** What is left of a page that broke: the rest of the dashboard goes on. */
export function PageError() {
  const error = useRouteError();
  return (
    <Container size="xs" py={64}>
      <Stack role="alert">
        <Title order={1} fz={24}>
          This page has broken
        </Title>
        <Text>
          That is our fault, not yours; nothing that you have captured is lost. If the service was updated just now,
          loading the page again is all that is needed.
        </Text>
        <Text size="sm" c="dimmed">
          {error instanceof Error ? error.message : 'Unknown error'}
        </Text>
        <Group>
          <Button onClick={() => window.location.reload()}>Load the page again</Button>
          <Button variant="default" component="a" href="/dashboard">
            Go to the start
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
