import { createHmac } from 'node:crypto';
import { signedText } from '@capture/contract/links/link-parameters';
import { type Client, send } from './client.ts';
import type { Gateway } from './services.ts';
import type { TestedPlatform } from './tested-platform.ts';

/** Signs the path of a link to a PNG screenshot. */
export type SignLink = (parameters: Readonly<Record<string, string>>) => string;

export async function createLinks(gateway: Gateway, client: Client): Promise<SignLink> {
  const created = await send(gateway, client, '/api/v1/links/secret', { method: 'POST' });
  const listed = await send(gateway, client, '/api/v1/keys');
  const file = 'screenshot.png';
  return (parameters) => {
    const text = signedText(file, Object.entries(parameters));
    const signature = createHmac('sha256', created.body.secret).update(text).digest('hex');
    return `/r/${listed.body.keys[0].id}/${signature}/${text}`;
  };
}

/** Adds the captures of an account that no response named, such as the renders of links, to the accepted captures. */
export async function acceptCapturesOf(
  { database, submissions }: TestedPlatform,
  { accountId }: Client,
): Promise<void> {
  const { rows } = await database.pool.query('SELECT id FROM capture WHERE account_id = $1', [accountId]);
  for (const { id } of rows) {
    submissions.accepted.set(id, Date.now());
    submissions.knownIds.add(id);
  }
}
