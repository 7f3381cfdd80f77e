import { registrationRequest } from '@capture/contract/api/account-requests';
import { ApiError } from '@capture/contract/errors';
import { newAccountPlan } from '@capture/contract/forms/forms';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { parseRequest } from '@capture/contract/options/parse-request';
import { createAccount } from '@capture/database/accounts/create-account';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import { newId } from '@capture/database/ids';
import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

export function registerRoute({
  database,
  encryptor,
  registrationLimit,
}: Pick<Dependencies, 'database' | 'encryptor' | 'registrationLimit'>): Route {
  return {
    method: 'POST',
    path: '/api/auth/register',
    auth: 'none',
    cost: 'none',
    body: 'json',
    showsSecret: true,
    async handle({ req, res, facts }) {
      const { email } = parseRequest(registrationRequest, req.body, 'a registration');
      const waitMs = await registrationLimit.take(req.ip ?? '');
      if (waitMs > 0) {
        throw new ApiError('RATE_LIMITED', 'Too many registrations from this address within an hour.', {
          retryAfterS: Math.ceil(waitMs / 1_000),
        });
      }

      const id = newId('acc');
      const createdAt = new Date();
      const signingSecret = encryptor.seal(generateSigningSecret(), signingSecretOf(id));
      const key = await createAccount(database.pool, { id, email, signingSecret, createdAt });
      if (!key) throw new ApiError('EMAIL_TAKEN', 'This address is registered already. Its owner has the key.');
      facts.account_id = id;
      res.status(201).json({ apiKey: key.apiKey, plan: newAccountPlan, createdAt: createdAt.toISOString() });
    },
  };
}
