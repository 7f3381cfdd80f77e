// Ends one capture, as a worker does, and then never gets to wake the dispatcher: the harness kills it there.
//   node main.js <database URL>, told by IPC for whom
import { contractForm, type FormName } from '@capture/contract/forms/forms';
import { endCapture } from '@capture/database/captures/end-capture';
import { openDatabase } from '@capture/database/database';
import { type Destination, endingTerms, takeCapture } from '../harness/produce-events.ts';
import { obey } from '../harness/run-commands.ts';

export interface CommitOrder extends Destination {
  form: FormName;
}

obey(async ({ form, ...destination }: CommitOrder) => {
  const { pool } = openDatabase({ url: process.argv[2] ?? '', connections: 1 });
  const ending = await takeCapture(pool, destination);
  const ended = ending && (await endCapture(pool, endingTerms({ form: contractForm(form) }), ending));
  if (ended?.deliveries !== 1) throw new Error('the capture could not be ended');
  return ending?.captureId;
});
