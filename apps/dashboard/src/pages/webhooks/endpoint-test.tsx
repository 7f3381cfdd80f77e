import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { TestOutcome } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { Outcome } from './test-outcome.tsx';

/** Receivers have up to 30 s to respond. */
export const testTimeoutMs = 45_000;

export function EndpointTest({ id, url }: { id: string; url: string }) {
  const [opened, { open, close }] = useDisclosure();
  const test = useMutation({
    mutationFn: () =>
      request<TestOutcome>('POST', `/api/v1/webhooks/${id}/test`, { body: {}, timeoutMs: testTimeoutMs }),
  });
  const start = () => {
    open();
    test.mutate();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start} aria-label={`Test ${url}`}>
        Test
      </Button>
      <Modal opened={opened} onClose={close} title="Test event" centered>
        <Stack>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          {test.isPending && <Waiting what="Sending" />}
          {test.error && <ProblemNote error={test.error} retry={() => test.mutate()} />}
          {test.data && <Outcome outcome={test.data} />}
        </Stack>
      </Modal>
    </>
  );
}
