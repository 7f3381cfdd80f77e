import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { noteOpen } from '../open-resources.ts';
import { waitUntil } from '../wait-until.ts';
import { type Authority, type CertificateKind, createAuthority, createCertificate } from './certificates.ts';

/** A mail that the server has accepted. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header lines as sent, unfolded. */
  headers: string;
  text: string;
  html: string;
  /** Whether the connection was encrypted. */
  secure: boolean;
}

/** The server's reply to a mail: accept it, never respond or respond with a status to its recipient, or end the connection. */
export type MailReply = 'accept' | 'hang' | { status: number } | 'end after the mail';

export interface MailServerOptions {
  /** TLS from the first byte, TLS after STARTTLS (by default), or no TLS. */
  tls?: 'implicit' | 'starttls' | 'none';
  /** The only credentials that the server accepts. By default the server asks for none. */
  user?: string;
  password?: string;
  authority?: Authority;
  certificate?: CertificateKind;
  /** A free port by default. */
  port?: number;
}

let ownAuthority: Promise<Authority> | undefined;

/** Opens a real SMTP server on 127.0.0.1 that keeps the mails it accepts. All servers of a test file share one authority. */
export async function openTestMailServer(options: MailServerOptions = {}) {
  const { tls = 'starttls', user, password, certificate = 'trusted', port: wanted = 0 } = options;
  ownAuthority ??= createAuthority();
  const authority = options.authority ?? (await ownAuthority);
  const mails: ReceivedMail[] = [];
  const recipients: string[] = [];
  let reply: MailReply = 'accept';
  const server = new SMTPServer({
    ...(await createCertificate(authority, certificate, [])),
    secure: tls === 'implicit',
    hideSTARTTLS: tls === 'none',
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(user === undefined ? ['AUTH'] : [])],
    authOptional: user === undefined,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      if (auth.username === user && auth.password === password) done(null, { user });
      else done(new Error(`wrong password ${auth.password} of ${auth.username}`));
    },
    onRcptTo({ address }, _session, done) {
      recipients.push(address);
      if (reply === 'hang') return;
      if (typeof reply === 'string') done();
      else done(Object.assign(new Error(`no mail for ${address}`), { responseCode: reply.status }));
    },
    onData(stream, session, done) {
      void buffer(stream).then((bytes) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...parse(bytes.toString('latin1')),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: Boolean(session.secure),
        });
        if (reply === 'end after the mail') for (const { _socket } of server.connections) _socket.destroy();
        else done();
      });
    },
  });
  // Tests provoke clients that reject the certificate.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async () => {
    closed();
    for (const { _socket } of server.connections) _socket.destroy();
    await new Promise<void>((resolve) => server.close(resolve));
  };
  const closed = noteOpen(`mail server on port ${port}`, close);
  const credentials = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`;
  return {
    /** The URL for `SMTP_URL`. */
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}${tls === 'none' ? '?tls=off' : ''}`,
    port,
    authority,
    mails,
    replyWith(next: MailReply) {
      reply = next;
    },
    /** Waits until a client has named an address. */
    waitForRecipient: (to: string) => waitUntil(() => recipients.includes(to), { what: `a mail for ${to}` }),
    /** Waits for mails to an address, and returns them. */
    async waitForMails(to: string, count = 1): Promise<[ReceivedMail, ...ReceivedMail[]]> {
      const own = () => mails.filter((mail) => mail.to.includes(to));
      await waitUntil(() => own().length >= count, { what: `${count} mails to ${to}` });
      return own() as [ReceivedMail, ...ReceivedMail[]];
    },
    close,
  };
}

export type TestMailServer = Awaited<ReturnType<typeof openTestMailServer>>;

/** Reads the parts of a message that nodemailer wrote: multipart, each part plain or quoted-printable. */
function parse(message: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const headers = unfold(message.slice(0, message.indexOf('\r\n\r\n')));
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '';
  const parts = message.split(`--${boundary}`).slice(1);
  const part = (type: string) => {
    const found = parts.find((each) => unfold(each.slice(0, each.indexOf('\r\n\r\n'))).includes(type)) ?? '';
    const end = found.indexOf('\r\n\r\n');
    const body = found.slice(end + 4);
    return /quoted-printable/i.test(found.slice(0, end)) ? fromQuotedPrintable(body) : body;
  };
  return { headers, text: part('text/plain'), html: part('text/html') };
}

const unfold = (headers: string) => headers.replaceAll(/\r\n[ \t]+/g, ' ');

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
