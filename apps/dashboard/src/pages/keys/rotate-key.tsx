import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { Account, Key, RotatedKey } from '../../api/responses.ts';
import { openSession } from '../../api/session.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';

/** How long both keys are valid, in seconds. */
const overlaps = [
  { value: '0', label: 'Revoke immediately' },
  { value: '3600', label: 'Keep for an hour' },
  { value: '86400', label: 'Keep for a day' },
  { value: '604800', label: 'Keep for seven days' },
];

export function RotateKey({ apiKey: key, onRotated }: { apiKey: Key; onRotated: (apiKey: string) => void }) {
  const [overlap, setOverlap] = useState('86400');
  const title = `Rotate ${nameOfKey(key)}`;
  const rotate = async () => {
    const body = { overlap_s: Number(overlap) };
    const { apiKey } = await request<RotatedKey>('POST', `/api/v1/keys/${key.id}/rotate`, { body });
    await keepSession(apiKey);
    onRotated(apiKey);
  };
  return (
    <ConfirmButton
      label="Rotate"
      name={title}
      question={title}
      confirmLabel="Rotate key"
      confirmColor="pine"
      act={rotate}
    >
      <Stack>
        A new key replaces it. It is shown only once.
        <Select
          label="Old key"
          allowDeselect={false}
          data={overlaps}
          value={overlap}
          onChange={(value) => setOverlap(value ?? '0')}
        />
      </Stack>
    </ConfirmButton>
  );
}

/** Opens a session with the new key if the session's key was rotated, because a session ends with its key. */
async function keepSession(apiKey: string): Promise<void> {
  try {
    await request<Account>('GET', '/api/v1/account');
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'UNAUTHORIZED') return;
    await openSession({ api_key: apiKey }).catch(() => undefined);
  }
}

/** Returns a key's name for messages, or its last four characters. */
export const nameOfKey = ({ name, last_four }: Pick<Key, 'name' | 'last_four'>): string =>
  name === null ? `the key that ends in ${last_four}` : `“${name}”`;
