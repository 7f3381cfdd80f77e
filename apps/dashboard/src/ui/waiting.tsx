import { Center, Loader, Text } from '@mantine/core';

/** Shows that content is loading. Every request ends, with a response or a problem. */
export function Waiting({ what = 'Loading' }: { what?: string }) {
  return (
    <Center mih={160} role="status">
      <Loader size="sm" mr="sm" aria-hidden />
      <Text c="dimmed" size="sm">
        {what} …
      </Text>
    </Center>
  );
}
