import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { NewLinkSecret } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** How long links of the old secret stay valid, in seconds. */
const overlaps = [
  { value: '0', label: 'Stop immediately' },
  { value: '86400', label: 'Keep for a day' },
  { value: '604800', label: 'Keep for seven days' },
  { value: '2592000', label: 'Keep for 30 days' },
];

interface RotateLinkSecretProps {
  path: string;
  onRotated: (secret: NewLinkSecret) => void;
}

export function RotateLinkSecret({ path, onRotated }: RotateLinkSecretProps) {
  const [opened, { open, close }] = useDisclosure();
  const [overlap, setOverlap] = useState('604800');
  const rotation = useMutation({
    mutationFn: () => request<NewLinkSecret>('POST', path, { body: { overlap_s: Number(overlap) } }),
    onSuccess: (secret) => {
      close();
      onRotated(secret);
    },
    gcTime: 0,
  });
  const show = () => {
    rotation.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={show} aria-label="Rotate the link secret">
        Rotate
      </Button>
      <Modal opened={opened} onClose={close} title="Rotate the link secret" centered>
        <Stack>
          <Text size="sm">A new secret replaces it. It is shown only once.</Text>
          <Select
            label="Links of the old secret"
            allowDeselect={false}
            data={overlaps}
            value={overlap}
            onChange={(value) => setOverlap(value ?? '0')}
          />
          {rotation.error && <ProblemNote error={rotation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
              Rotate secret
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
