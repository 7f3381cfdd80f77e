import { openTestMailServer, type TestMailServer } from '@capture/testing/network/mail-server';
import { findOwnPort } from '@capture/testing/network/own-port';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MailError, openMailServer } from './smtp.ts';

let opened: TestMailServer[] = [];
afterEach(async () => {
  const closing = opened;
  opened = [];
  for (const server of closing) await server.close();
});

async function open(...options: Parameters<typeof openTestMailServer>) {
  const server = await openTestMailServer(...options);
  opened.push(server);
  return server;
}

const mail = {
  from: 'Captures <no-reply@captures.test>',
  to: 'ada@example.com',
  subject: 'Sign in',
  text: 'Hello Zoë,\n\nhttps://captures.test/#0123456789',
  html: '<p>Hello Zoë</p>',
};

const clientOf = (server: TestMailServer, url = server.url) => openMailServer(url, { ca: server.authority.cert });
const faultOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('no fault'),
    (error) => error,
  );

describe('a mail', () => {
  it.each([
    ['after STARTTLS', 'starttls'],
    ['over TLS from the start', 'implicit'],
  ] as const)('is sent %s, signed in', async (_, tls) => {
    const server = await open({ tls, user: 'ada@captures.test', password: 'p@ss/word' });
    expect(await clientOf(server).send(mail)).toBe('sent');
    const [received] = await server.waitForMails('ada@example.com');
    expect(received).toMatchObject({ from: 'no-reply@captures.test', to: ['ada@example.com'], secure: true });
    expect(received.text.trim().replaceAll('\r\n', '\n')).toBe(mail.text);
    expect(received.html.trim()).toBe(mail.html);
    expect(received.headers).toContain('From: Captures <no-reply@captures.test>');
    expect(received.headers).toContain('Auto-Submitted: auto-generated');
    await clientOf(server).check();
  });

  it('is sent without TLS only if the URL says so', async () => {
    const server = await open({ tls: 'none' });
    expect(await clientOf(server).send(mail)).toBe('sent');
    expect(server.mails[0]?.secure).toBe(false);
    const fault = await faultOf(clientOf(server, server.url.replace('?tls=off', '')).send(mail));
    expect(fault).toBeInstanceOf(MailError);
    expect(server.mails).toHaveLength(1);
  });

  it('is not sent to a server with an invalid certificate', async () => {
    for (const certificate of ['self-signed', 'expired', 'wrong-name'] as const) {
      for (const tls of ['starttls', 'implicit'] as const) {
        const server = await open({ tls, certificate });
        expect(await faultOf(clientOf(server).send(mail))).toBeInstanceOf(MailError);
        expect(server.mails).toEqual([]);
      }
    }
  });

  it('is refused permanently, can be sent later, or is unclear', async () => {
    const server = await open();
    server.replyWith({ status: 550 });
    expect(await clientOf(server).send(mail)).toBe('refused');
    server.replyWith({ status: 451 });
    expect(await faultOf(clientOf(server).send(mail))).toBeInstanceOf(MailError);
    server.replyWith('end after the mail');
    expect(await clientOf(server).send(mail)).toBe('unclear');
    expect(await faultOf(openMailServer(`smtp://127.0.0.1:${await findOwnPort()}`).send(mail))).toBeInstanceOf(
      MailError,
    );
  });

  it('has no line from an address, a name or a subject', async () => {
    const server = await open();
    const hostile = 'a\r\nBcc: eve@example.com\r\n\r\nmore';
    await clientOf(server).send({ ...mail, subject: hostile });
    expect(server.mails[0]?.headers).not.toMatch(/^Bcc:/m);
    expect(await clientOf(server).send({ ...mail, to: `ada@example.com>\r\nRCPT TO:<eve@example.com` })).not.toBe(
      'sent',
    );
    expect(server.mails.flatMap(({ to }) => to)).toEqual(['ada@example.com']);
  });
});

describe('a fault', () => {
  it('names neither the credentials nor the address, even if the server repeats them', async () => {
    const server = await open({ user: 'ada', password: 'injected-right' });
    const wrong = clientOf(server, server.url.replace('injected-right', 'injected-wrong'));
    for (const work of [wrong.send(mail), wrong.check()]) {
      const { message } = await faultOf(work);
      expect(message).toContain('535');
      expect(message).not.toMatch(/injected|ada/);
    }
    server.replyWith({ status: 451 });
    expect((await faultOf(clientOf(server).send(mail))).message).toBe('the server responded with 451 to RCPT TO');
  });

  it('names the step to check', async () => {
    const port = await findOwnPort();
    expect((await faultOf(openMailServer(`smtp://127.0.0.1:${port}`).check())).message).toContain('ECONNREFUSED');
    const server = await open({ certificate: 'self-signed' });
    expect((await faultOf(clientOf(server).check())).message).toMatch(/self-signed certificate/);
  });
});
