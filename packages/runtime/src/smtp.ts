import { rootCertificates } from 'node:tls';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** `refused` is permanent; `unclear` means that the connection broke when the server may have accepted the mail. */
export type MailOutcome = 'sent' | 'refused' | 'unclear';

export interface MailServer {
  /** @throws {MailError} if the server has certainly not accepted the mail, so that it can be sent later. */
  send(mail: Mail): Promise<MailOutcome>;
  /** Connects and signs in, as for a mail. @throws {MailError} */
  check(): Promise<void>;
}

/** Why a mail was not sent. The text contains neither an address nor a credential, which a server's response may repeat. */
export class MailError extends Error {
  override name = 'MailError';
}

/** A single address, without a name or any character that could start a second address. */
const bareAddress = /^[^\s<>()[\]",;:\\]+@[^\s<>()[\]",;:\\]+$/;

/** The timeout of each step of a connection, milliseconds. */
const stepMs = 10_000;

/** The timeout of all steps of one mail, milliseconds, for a server that sends single bytes slowly. */
const deadlineMs = 60_000;

/**
 * Opens the mail server of `SMTP_URL`. `smtps:` is TLS from the start; `smtp:` requires STARTTLS, unless the URL has `?tls=off`.
 * The operator chose the server, so it may be in a private network: the rules for captured pages and webhooks do not apply.
 *
 * @param options.ca a PEM authority in addition to the usual authorities.
 */
export function openMailServer(smtpUrl: string, { ca }: { ca?: string } = {}): MailServer {
  const { connection: options, credentials } = readOptions(smtpUrl, ca);

  /** Connects, signs in, runs `work`, and closes the connection in any case. */
  const connected = async <Result>(work: (connection: SMTPConnection) => Promise<Result>): Promise<Result> => {
    const connection = new SMTPConnection(options);
    let timer: NodeJS.Timeout | undefined;
    const broken = new Promise<never>((_resolve, reject) => {
      connection.on('error', reject);
      connection.on('end', () => reject(new Error('the server closed the connection')));
      timer = setTimeout(() => reject(new Error(`the mail was not sent within ${deadlineMs / 1_000} s`)), deadlineMs);
    });
    const steps = async () => {
      await called((done) => connection.connect(done));
      if (credentials) await called((done) => connection.login({ credentials }, done));
      return work(connection);
    };
    try {
      return await Promise.race([broken, steps()]);
    } finally {
      clearTimeout(timer);
      connection.close();
    }
  };

  return {
    async send(mail) {
      if (!bareAddress.test(mail.to)) return 'refused';
      const message = await new MailComposer({
        ...mail,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
      }).compile();
      const envelope = message.getEnvelope();
      const bytes = await message.build();
      let sending = false;
      try {
        await connected((connection) => {
          sending = true;
          return called((done) => connection.send(envelope, bytes, done));
        });
        return 'sent';
      } catch (error) {
        const { responseCode, permanent, command } = error as SmtpFault;
        if (sending && !responseCode) return 'unclear';
        if (permanent && (command === 'RCPT TO' || command === 'DATA')) return 'refused';
        throw new MailError(describe(error as SmtpFault));
      }
    },
    async check() {
      await connected(async () => {}).catch((error: SmtpFault) => {
        throw new MailError(describe(error));
      });
    },
  };
}

/** The fields that nodemailer adds to its errors. */
interface SmtpFault extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

function describe({ message, code, command, responseCode }: SmtpFault): string {
  if (responseCode) return `the server responded with ${responseCode} to ${command ?? 'a command'}`;
  return code === undefined ? message : `${code}: ${message}`;
}

/** Calls a function of nodemailer that takes a callback. */
function called(call: (done: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()));
  });
}

function readOptions(smtpUrl: string, ca: string | undefined) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const isPlain = searchParams.get('tls') === 'off';
  const connection: SMTPConnectionOptions = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: isPlain,
    ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    socketCloseTimeout: 0,
  };
  const credentials =
    username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return { connection, credentials };
}
