import { Text } from '@mantine/core';

/** A URL that may be very long: two lines of it, with all of it as a tooltip. */
export function LongText({ text }: { text: string }) {
  return (
    <Text span inherit lineClamp={2} title={text} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}
