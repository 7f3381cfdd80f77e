// Ends one capture, as a worker does, and never wakes the dispatcher: the harness kills this process after the commit. Run as
// node main.js <database URL>, with a command over IPC that names the account and the receiver.
import { contractForm, type FormName } from '@capture/contract/forms/forms';
import { endCapture } from '@capture/database/captures/end-capture';
import { openSqlDatabase } from '@capture/database/database';
import { serveCommands } from '@capture/testing/processes/serve-commands';
import { type Destination, endingTerms, startCapture } from '../harness/produce-events.ts';

export interface CommitCommand extends Destination {
  form: FormName;
}

serveCommands(async ({ form, ...destination }: CommitCommand) => {
  const { pool } = openSqlDatabase({ url: process.argv[2] ?? '', connections: 1 });
  const ending = await startCapture(pool, destination);
  const ended = ending && (await endCapture(pool, endingTerms({ form: contractForm(form) }), ending));
  if (ended?.deliveries !== 1) throw new Error('the capture could not be ended');
  return ending?.captureId;
});
