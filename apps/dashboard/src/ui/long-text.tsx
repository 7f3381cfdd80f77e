import { Text } from '@mantine/core';

/** Shows two lines of a URL that may be very long, with the whole URL as a tooltip. */
export function LongText({ text }: { text: string }) {
  return (
    <Text span inherit lineClamp={2} title={text} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}
