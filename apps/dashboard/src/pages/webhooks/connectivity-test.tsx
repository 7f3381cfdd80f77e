import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { TestOutcome } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { testTimeoutMs } from './endpoint-test.tsx';
import { Outcome } from './test-outcome.tsx';

/** Sends a signed sample event to any URL; stores nothing. */
export function ConnectivityTest({ events }: { events: string[] }) {
  const [url, setUrl] = useState('');
  const [event, setEvent] = useState(events[0] ?? '');
  const test = useMutation({
    mutationFn: () => {
      const body = { webhook_url: url, events: [event] };
      return request<TestOutcome>('POST', '/api/v1/webhooks', { body, timeoutMs: testTimeoutMs });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(submitEvent) => {
        submitEvent.preventDefault();
        test.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Sends one signed sample event. Nothing is stored and no endpoint is added.
        </Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            flex="1 1 260px"
            label="URL"
            type="url"
            required
            placeholder="https://hooks.example.com/captures"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <Select
            label="Event"
            allowDeselect={false}
            data={events}
            value={event}
            onChange={(chosen) => setEvent(chosen ?? event)}
          />
          <Button type="submit" variant="default" loading={test.isPending}>
            Send
          </Button>
        </Group>
        {test.error && <ProblemNote error={test.error} />}
        {test.data && <Outcome outcome={test.data} />}
      </Stack>
    </form>
  );
}
