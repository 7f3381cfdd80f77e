import { linkTtlS } from '@capture/database/accounts/sign-in-links';
import type { Mail } from '@capture/runtime/smtp';

/** Where the dashboard confirms a link. The token is in the fragment, which no browser sends to a server or as a referrer. */
const linkOf = (publicUrl: string, token: string) => `${publicUrl}/dashboard/sign-in/link#${token}`;

/**
 * The mail with a sign-in link, as text and as HTML.
 *
 * @param publicUrl the configured URL of the service: never the host that a request names.
 */
export function signInMail(publicUrl: string, token: string): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { host } = new URL(publicUrl);
  const link = linkOf(publicUrl, token);
  const minutes = linkTtlS / 60;
  const lines = {
    intro: `This link signs you in to your account at ${host}:`,
    validity: `It works once, within ${minutes} minutes.`,
    next: 'In the dashboard you can then create a new API key and revoke a lost one. Your keys keep working until you do.',
    unasked: 'You did not ask for this link? Then ignore this mail: nothing changes unless the link is used.',
  };
  return {
    subject: `Sign in to ${host}`,
    text: `Hello,\n\n${lines.intro}\n\n${link}\n\n${lines.validity} ${lines.next}\n\n${lines.unasked}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
</head>
<body style="font-family: system-ui, sans-serif; font-size: 16px; line-height: 1.5; max-width: 36em; margin: 0 auto; padding: 24px">
<p>Hello,</p>
<p>${lines.intro}</p>
<p><a href="${link}" style="display: inline-block; background: #0b6b5a; color: #ffffff; padding: 10px 20px; border-radius: 6px; text-decoration: none; font-weight: 600">Sign in</a></p>
<p>${lines.validity} ${lines.next}</p>
<p>${lines.unasked}</p>
<p style="font-size: 13px; overflow-wrap: anywhere">If the button does not work, copy this address into your browser:<br>${link}</p>
</body>
</html>
`,
  };
}

/** The sender if no sender is configured: an address of the host that users know. */
export const defaultSender = (publicUrl: string) => `Capture platform <no-reply@${new URL(publicUrl).hostname}>`;
