import { Center, Loader, Text } from '@mantine/core';

/** A loading indicator. Every request ends by itself, with a response or a problem. */
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
