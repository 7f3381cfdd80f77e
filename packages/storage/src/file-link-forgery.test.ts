import { describe, expect, it } from '@jest/globals';
import { signFileLink, verifyFileLink } from './file-link.ts';

const secret = 'a secret key of at least thirty-two characters';
const expiresAt = new Date('2026-11-27T12:00:00Z');
const now = new Date('2026-11-20T12:00:00Z');
const link = { publicUrl: '', captureId: 'req_01jd3abc', extension: 'png', expiresAt, secret };

/** Checks a link from the parts that a browser would send. */
function open(url: string, at = now): string {
  const { pathname, searchParams } = new URL(url, 'https://screenshots.example');
  const name = pathname.split('/').at(-1);
  const [expires, signature] = [searchParams.get('expires'), searchParams.get('signature')];
  const decision = verifyFileLink({ name, expires, signature, secret, now: at });
  return decision.valid ? `${decision.captureId}.${decision.extension}` : decision.reason;
}

const good = signFileLink(link);
const start = '/files/'.length;
const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=&?/%+';

describe('an altered link to a file', () => {
  it('opens nothing with any character changed, left out, doubled or added', () => {
    expect(open(good)).toBe('req_01jd3abc.png');
    const opened: string[] = [];
    const attempt = (url: string) => {
      if (url !== good && !['invalid', 'expired'].includes(open(url))) opened.push(url);
    };
    for (let index = start; index < good.length; index += 1) {
      const [before, after] = [good.slice(0, index), good.slice(index + 1)];
      for (const other of characters) {
        attempt(before + other + after);
        attempt(before + other + good.slice(index));
      }
      attempt(before + after);
    }
    // These changes do not affect the name, the time or the signature: another path before the name, and unused parameters.
    const parts = (url: string) => {
      const { pathname, searchParams } = new URL(url, 'https://screenshots.example');
      return [pathname.split('/').at(-1), searchParams.get('expires'), searchParams.get('signature')].join();
    };
    expect(opened.filter((url) => parts(url) !== parts(good))).toEqual([]);
  });

  it('opens nothing with the signature of another file, of another time, or of both swapped', () => {
    const others = [
      signFileLink({ ...link, captureId: 'req_01jd3abd' }),
      signFileLink({ ...link, extension: 'pdf' }),
      signFileLink({ ...link, expiresAt: new Date(expiresAt.getTime() + 1_000) }),
      signFileLink({ ...link, secret: 'another secret key of thirty-two characters' }),
    ];
    for (const other of others) {
      const signature = new URL(other, 'https://screenshots.example').searchParams.get('signature');
      expect(open(good.replace(/signature=.*/, `signature=${signature}`))).toBe('invalid');
    }
  });

  it('expires at its time, which cannot be changed', () => {
    expect(open(good, new Date(expiresAt.getTime() - 1))).toBe('req_01jd3abc.png');
    expect(open(good, expiresAt)).toBe('expired');
    const seconds = expiresAt.getTime() / 1_000;
    for (const end of [
      seconds + 1,
      seconds * 10,
      `${seconds}0`,
      `+${seconds}`,
      ` ${seconds}`,
      `${seconds}.5`,
      '1e99',
      'Infinity',
      '-1',
    ]) {
      expect(open(good.replace(/expires=\d+/, `expires=${encodeURIComponent(end)}`), expiresAt)).toBe('invalid');
    }
  });
});
