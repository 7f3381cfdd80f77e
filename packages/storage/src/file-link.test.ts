import { describe, expect, it } from '@jest/globals';
import { type PresentedLink, signFileLink, verifyFileLink } from './file-link.ts';

const secret = 'a secret key of at least thirty-two characters';
const other = 'another secret key of thirty-two characters or so';
const expiresAt = new Date('2026-11-27T12:00:00.700Z');
const now = new Date('2026-11-20T12:00:00Z');
const link = {
  publicUrl: 'https://screenshots.example',
  captureId: 'req_01jd3abc',
  extension: 'png',
  expiresAt,
  secret,
};

function present(url: string, more: Partial<PresentedLink> = {}): PresentedLink {
  const { pathname, searchParams } = new URL(url);
  return {
    name: pathname.split('/').at(-1),
    expires: searchParams.get('expires'),
    signature: searchParams.get('signature'),
    secret,
    now,
    ...more,
  };
}

describe('file links', () => {
  const url = signFileLink(link);

  it('are readable, and do not change', () => {
    expect(url).toMatch(
      /^https:\/\/screenshots\.example\/files\/req_01jd3abc\.png\?expires=1795780800&signature=[A-Za-z0-9_-]{43}$/,
    );
    expect(signFileLink(link)).toBe(url);
  });

  it('open their file before they expire, not at that moment', () => {
    expect(verifyFileLink(present(url))).toEqual({
      valid: true,
      captureId: 'req_01jd3abc',
      output: 1,
      extension: 'png',
      expiresAt: new Date('2026-11-27T12:00:00Z'),
    });
    const at = (time: string) => verifyFileLink(present(url, { now: new Date(time) }));
    expect(at('2026-11-27T11:59:59.999Z').valid).toBe(true);
    expect(at('2026-11-27T12:00:00.000Z')).toEqual({ valid: false, reason: 'expired' });
    expect(at('2036-11-27T12:00:00.000Z')).toEqual({ valid: false, reason: 'expired' });
  });

  it.each<[string, Partial<PresentedLink>]>([
    ['another capture', { name: 'req_01jd3abd.png' }],
    ['another extension', { name: 'req_01jd3abc.pdf' }],
    ['a later end', { expires: '1795780801' }],
    ['a much later end', { expires: '99999999999' }],
    ['the same end spelt otherwise', { expires: '01795780800' }],
    ['the same end spelt as a fraction', { expires: '1795780800.0' }],
    ['a signed end', { expires: '+1795780800' }],
    ['an end after a space', { expires: ' 1795780800' }],
    ['an endless end', { expires: 'Infinity' }],
    ['an end as a power', { expires: '1e99' }],
    ['no end', { expires: null }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['a signature twice', { signature: [new URL(url).searchParams.get('signature')] }],
    ['a longer signature', { signature: `${new URL(url).searchParams.get('signature')}A` }],
    ['a signature of another encoding', { signature: `${'+'.repeat(42)}A` }],
    ['another secret', { secret: other }],
    ['a path', { name: '../req_01jd3abc.png' }],
    ['a prototype', { name: '__proto__' }],
  ])('do not open with %s', (_, change) => {
    expect(verifyFileLink(present(url, change))).toEqual({ valid: false, reason: 'invalid' });
  });

  it('do not open with any character changed, left out, doubled or added', () => {
    const path = url.slice(link.publicUrl.length);
    const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=&?/%+';
    const opened: string[] = [];
    const attempt = (changed: string) => {
      if (changed !== path && verifyFileLink(present(link.publicUrl + changed)).valid) opened.push(changed);
    };
    for (let index = '/files/'.length; index < path.length; index += 1) {
      const [before, after] = [path.slice(0, index), path.slice(index + 1)];
      for (const other of characters) {
        attempt(before + other + after);
        attempt(before + other + path.slice(index));
      }
      attempt(before + after);
    }
    // Another path before the name, and unused parameters, do not matter.
    const parts = (changed: string) => {
      const { name, expires, signature } = present(link.publicUrl + changed);
      return [name, expires, signature].join();
    };
    expect(opened.filter((changed) => parts(changed) !== parts(path))).toEqual([]);
  });

  it.each([
    { captureId: 'req_01jd3abd' },
    { extension: 'pdf' },
    { expiresAt: new Date('2026-11-28') },
    { secret: other },
  ])('do not open with the signature of a link with %o', (change) => {
    const { signature } = present(signFileLink({ ...link, ...change }));
    expect(verifyFileLink(present(url, { signature })).valid).toBe(false);
  });

  it('made with the previous secret stay valid only while that secret is set', () => {
    const old = signFileLink({ ...link, secret: other });
    expect(verifyFileLink(present(old, { previousSecret: other })).valid).toBe(true);
    expect(verifyFileLink(present(old))).toEqual({ valid: false, reason: 'invalid' });
  });

  it('are made only for ids of captures', () => {
    expect(() => signFileLink({ ...link, captureId: '../req_1' })).toThrow('not the name');
  });
});
