import { Button, Checkbox, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { Endpoint, RegisteredEndpoint } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

interface EndpointFormProps {
  opened: boolean;
  events: readonly string[];
  /** The endpoint to edit; without it, the form registers a new endpoint. */
  endpoint?: Endpoint;
  onClose: () => void;
  onSaved: (saved: RegisteredEndpoint) => void;
}

export function EndpointForm(props: EndpointFormProps) {
  const { opened, onClose, endpoint } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={endpoint ? 'Edit endpoint' : 'Add an endpoint'} centered>
      <Fields {...props} />
    </Modal>
  );
}

function Fields({ events, endpoint, onClose, onSaved }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [chosen, setChosen] = useState<string[]>(endpoint?.events ?? ['capture.completed', 'capture.failed']);
  const [secret, setSecret] = useState('');
  const save = useMutation({
    mutationFn: () =>
      endpoint
        ? request<RegisteredEndpoint>('PATCH', `/api/v1/webhooks/${endpoint.id}`, { body: { url, events: chosen } })
        : request<RegisteredEndpoint>('POST', '/api/v1/webhooks', {
            body: { url, events: chosen, ...(secret !== '' && { secret }) },
          }),
    onSuccess: (saved) => {
      onClose();
      onSaved(saved);
    },
    gcTime: 0,
  });
  const faultOf = (name: string) =>
    save.error ? toProblem(save.error).details.find(({ field }) => field.split('.')[0] === name)?.message : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="URL"
          type="url"
          required
          data-autofocus
          description="An HTTPS URL that the internet can reach."
          placeholder="https://hooks.example.com/captures"
          value={url}
          error={faultOf('url')}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Checkbox.Group label="Events" required value={chosen} onChange={setChosen} error={faultOf('events')}>
          <Stack gap={8} mt={6}>
            {events.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
        {!endpoint && (
          <PasswordInput
            label="Signing secret"
            description="Leave empty to generate one, which is shown once."
            autoComplete="off"
            value={secret}
            error={faultOf('secret')}
            onChange={(event) => setSecret(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show secret' }}
          />
        )}
        {save.error && <ProblemNote error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {endpoint ? 'Save' : 'Add endpoint'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
