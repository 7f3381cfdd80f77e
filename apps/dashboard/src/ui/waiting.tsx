import { Center, Loader, Text } from '@mantine/core';

/** Something is on its way. Every request behind it ends by itself, with an answer or with a problem. */
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
