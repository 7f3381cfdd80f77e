import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { NewLinkSecret } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';

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
  const [overlap, setOverlap] = useState('604800');
  const rotate = async () => onRotated(await request('POST', path, { body: { overlap_s: Number(overlap) } }));
  return (
    <ConfirmButton
      label="Rotate"
      name="Rotate the link secret"
      question="Rotate the link secret"
      confirmLabel="Rotate secret"
      confirmColor="pine"
      act={rotate}
    >
      <Stack>
        A new secret replaces it. It is shown only once.
        <Select
          label="Links of the old secret"
          allowDeselect={false}
          data={overlaps}
          value={overlap}
          onChange={(value) => setOverlap(value ?? '0')}
        />
      </Stack>
    </ConfirmButton>
  );
}
