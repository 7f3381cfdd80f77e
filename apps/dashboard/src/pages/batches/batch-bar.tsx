import { Progress, Text } from '@mantine/core';
import type { Batch } from '../../api/responses.ts';
import { countText } from '../../ui/figures.ts';

export function BatchBar({
  batch,
  size = 'md',
}: {
  batch: Pick<Batch, 'total' | 'succeeded' | 'failed'>;
  size?: string;
}) {
  const { total, succeeded, failed } = batch;
  return (
    <>
      <Progress.Root size={size} aria-hidden>
        <Progress.Section value={(succeeded / total) * 100} color="pine.6" />
        <Progress.Section value={(failed / total) * 100} color="red.7" />
      </Progress.Root>
      <Text size="xs" mt={4}>
        {countText(succeeded)} of {countText(total)} succeeded{failed > 0 && `, ${countText(failed)} failed`}
      </Text>
    </>
  );
}
