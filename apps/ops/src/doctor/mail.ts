import { settings } from '@capture/runtime/settings';
import { type MailServer, openMailServer } from '@capture/runtime/smtp';
import { CannotCheck, fault, group, notChecked, ok } from './check.ts';

interface Subject {
  server: MailServer;
  /** The host and port. */
  name: string;
}

export const mail = group<Subject>({
  name: 'mail',
  open({ env: { SMTP_URL: url } }) {
    if (!url) throw new CannotCheck(notChecked('SMTP_URL is not set in this shell: users who lost their key ask you'));
    const { success } = settings.SMTP_URL.safeParse(url);
    const fix = 'set it to a URL like smtps://user:password@mail.example.com:465';
    if (!success) throw new CannotCheck(fault('SMTP_URL cannot be used', fix));
    return { server: openMailServer(url), name: new URL(url).host };
  },
  checks: [
    {
      name: 'server',
      about: 'the server of SMTP_URL accepts connection, TLS and credentials; no mail is sent',
      async run({ server, name }) {
        try {
          await server.check();
          return ok(`${name} accepts mail of this platform`);
        } catch (error) {
          const fix =
            'correct SMTP_URL, or make the server reachable from the gateways; mails are tried again for 48 min';
          return fault(`${name}: ${(error as Error).message}`, fix);
        }
      },
    },
  ],
});
