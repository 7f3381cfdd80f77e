import { signInLinkRequest } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { ApiError } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { linkTtlS } from '@capture/database/accounts/sign-in-links';
import type { Route } from '../../http/route.ts';
import type { ClientLimits } from '../../limits/client-limit.ts';
import type { MailSender } from '../../mail/mail-sender.ts';

export interface SignInLinkDependencies {
  /** Null if no mail server is configured. */
  mailSender: Pick<MailSender, 'requestLink'> | null;
  clientLimits: Pick<ClientLimits, 'signInLinks'>;
}

/**
 * Sends a sign-in link to the address of an account. The request only records the address, so that response and duration are the
 * same whether the address is registered or not.
 */
export function signInLinkRoute({ mailSender, clientLimits }: SignInLinkDependencies): Route {
  return {
    method: 'POST',
    path: '/api/auth/sign-in-link',
    auth: 'none',
    ...(mailSender === null && { isOffered: false }),
    id: 'requestSignInLink',
    tag: 'Account',
    summary: 'Request a sign-in link by email',
    description:
      'For users who lost their last key. The response is the same whether the address belongs to an account or not. The link opens the dashboard, where its token is exchanged for a session (`POST /api/auth/session` with `link_token`). An address whose owner has never used a link gets one mail within 24 hours, others five within an hour; further requests send nothing. Limited to 10 requests per hour and client IP address.',
    body: { schema: signInLinkRequest, example: { email: 'ada@example.com' }, required: true },
    responses: { 202: { description: 'If there is such an account, a mail is sent.', json: schemas.signInLink } },
    errors: ['RATE_LIMITED'],
    async handle({ req, res }) {
      if (mailSender === null) {
        throw new ApiError('NOT_FOUND', 'This service sends no email. Ask its operator for a new key.');
      }
      const { email } = parseRequest(signInLinkRequest, req.body, 'a sign-in link');
      const waitMs = await clientLimits.signInLinks.take(req.ip ?? '');
      if (waitMs > 0) {
        throw new ApiError('RATE_LIMITED', 'Too many sign-in links from this IP address within an hour.', {
          retryAfterS: Math.ceil(waitMs / 1_000),
        });
      }
      await mailSender.requestLink(email);
      res.status(202).json({ valid_for_s: linkTtlS });
    },
  };
}
