import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { countText } from '../../ui/figures.ts';
import { repeatCaptures } from '../batches/submit-batch.ts';

interface BulkActionsProps {
  captures: CaptureRecord[];
  onDone: () => void;
}

const captureText = (count: number) => `${countText(count)} capture${count === 1 ? '' : 's'}`;

export function BulkActions({ captures, onDone }: BulkActionsProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const removable = captures.filter(({ file_url, completed_at }) => file_url !== null || completed_at === null);
  const repeat = async () => {
    const { batch_id } = await repeatCaptures(captures);
    onDone();
    void client.invalidateQueries({ queryKey: ['batches'] });
    await navigate(`/batches/${batch_id}`);
  };
  const remove = async () => {
    const failed = await removeEach(removable);
    await client.invalidateQueries({ queryKey: ['captures'] });
    if (failed > 0) {
      const message = `${captureText(failed)} could not be deleted and are still selected. Try again in a moment.`;
      throw new Problem({ status: 0, code: 'INTERNAL', message });
    }
    notifications.show({ title: `${captureText(removable.length)} deleted`, message: 'Their records remain.' });
    onDone();
  };
  return (
    <>
      <ConfirmButton
        label="Capture again"
        question={`Capture ${captures.length === 1 ? 'this page' : `these ${countText(captures.length)} pages`} again?`}
        confirmLabel="Capture again"
        confirmColor="pine"
        act={repeat}
      >
        They become a new batch with the same options. Captures that had cookies, headers, a password or HTML are
        skipped, because those are not kept.
      </ConfirmButton>
      <ConfirmButton
        label="Delete files"
        question={`Delete the files of ${captureText(removable.length)}?`}
        confirmLabel="Delete files"
        disabled={removable.length === 0}
        act={remove}
      >
        This deletes the images and PDFs, and their links stop working. It cannot be undone. Their records remain.
        Captures in progress are cancelled.
      </ConfirmButton>
    </>
  );
}

/** Deletes captures one after the other. @returns how many could not be deleted. */
async function removeEach(captures: readonly CaptureRecord[]): Promise<number> {
  let failed = 0;
  for (const { request_id } of captures) {
    await request('DELETE', `/api/v1/captures/${request_id}`).catch(() => {
      failed += 1;
    });
  }
  return failed;
}
