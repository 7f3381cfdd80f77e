import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { TestOutcome } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { testWithinMs } from './endpoint-test.tsx';
import { Outcome } from './test-outcome.tsx';

/** Sends one signed sample event to any address: nothing is stored, nothing subscribed. */
export function ConnectivityTest({ events }: { events: string[] }) {
  const [url, setUrl] = useState('');
  const [event, setEvent] = useState(events[0] ?? '');
  const test = useMutation({
    mutationFn: () => {
      const body = { webhook_url: url, events: [event] };
      return request<TestOutcome>('POST', '/api/v1/webhooks', { body, withinMs: testWithinMs });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        test.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          One signed sample event goes there. Nothing is stored, nothing is subscribed.
        </Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            flex="1 1 260px"
            label="Address"
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
            Send it
          </Button>
        </Group>
        {test.error && <ProblemNote error={test.error} />}
        {test.data && <Outcome outcome={test.data} />}
      </Stack>
    </form>
  );
}
