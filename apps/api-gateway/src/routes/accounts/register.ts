import { registrationRequest } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { ApiError } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { parseRequest } from '@capture/contract/options/parse-request';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import type { Encryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import type { Route } from '../../http/route.ts';
import type { ClientLimits } from '../../limits/client-limit.ts';

export function registerRoute({
  form: { newAccountPlan: plan },
  database,
  encryptor,
  clientLimits,
}: {
  form: ContractForm;
  database: Database;
  encryptor: Encryptor;
  clientLimits: Pick<ClientLimits, 'registrations'>;
}): Route {
  return {
    method: 'POST',
    path: '/api/auth/register',
    auth: 'none',
    showsSecret: true,
    id: 'register',
    tag: 'Account',
    summary: 'Create an account and get an API key',
    description:
      'Keys are free. The key is shown only once. Use it in server-side code, never in browsers or mobile apps.',
    body: { schema: registrationRequest, example: { email: 'ada@example.com' }, required: true },
    responses: { 201: { description: 'The key.', json: schemas.registration } },
    errors: ['EMAIL_TAKEN', 'RATE_LIMITED'],
    async handle({ req, res, facts }) {
      const { email } = parseRequest(registrationRequest, req.body, 'a registration');
      const waitMs = await clientLimits.registrations.take(req.ip ?? '');
      if (waitMs > 0) {
        throw new ApiError('RATE_LIMITED', 'Too many registrations from this IP address within an hour.', {
          retryAfterS: Math.ceil(waitMs / 1_000),
        });
      }

      const id = newId('acc');
      const createdAt = databaseNow();
      const signingSecret = encryptor.encrypt(generateSigningSecret(), signingSecretOf(id));
      const key = await createAccount(database, { id, email, signingSecret, createdAt, plan });
      if (!key) throw new ApiError('EMAIL_TAKEN', 'This email address is already registered. Its owner has the key.');
      facts.account_id = id;
      res.status(201).json({ apiKey: key.apiKey, plan, createdAt: createdAt.toISOString() });
    },
  };
}
