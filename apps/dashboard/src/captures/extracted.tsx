import { List, Stack, Text } from '@mantine/core';
import type { CaptureRecord } from '../api/responses.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Surface } from '../ui/surface.tsx';

/** Shows the values of `extract`, and why some could not be read; nothing for a capture without it. */
export function ExtractedView({ record: { extracted, extract_errors } }: { record: CaptureRecord }) {
  if (!extracted) return null;
  const faults = Object.entries(extract_errors ?? {});
  return (
    <Surface title="Extracted values">
      <Stack gap="sm">
        <CodeBlock code={JSON.stringify(extracted, null, 2)} what="extracted values" title="JSON" wrapped />
        {faults.length > 0 && (
          <List size="sm" aria-label="Values that could not be read" style={{ overflowWrap: 'anywhere' }}>
            {faults.slice(0, 20).map(([place, reason]) => (
              <List.Item key={place}>
                <b>{place}</b>: {reason}
              </List.Item>
            ))}
          </List>
        )}
        {faults.length > 20 && (
          <Text size="sm" c="dimmed">
            … and {faults.length - 20} more in the record.
          </Text>
        )}
      </Stack>
    </Surface>
  );
}
