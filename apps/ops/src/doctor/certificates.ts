import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CannotCheck, fault, group, notChecked, ok, warning } from './check.ts';

const warnBeforeMs = 30 * 86_400_000;

/**
 * A file with at least this many certificates is a system's bundle of authorities, usually with about 140. Some of them have
 * expired or will expire soon, but the bundle also contains their replacements. An operator's chain has up to ten.
 */
const bundleFrom = 20;

const pem = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

export const certificates = group<readonly X509Certificate[]>({
  name: 'certificates',
  async open({ env: { NODE_EXTRA_CA_CERTS: file } }) {
    if (!file) throw new CannotCheck(notChecked('NODE_EXTRA_CA_CERTS is not set in this shell'));
    const fix = 'set NODE_EXTRA_CA_CERTS to a file of PEM certificates; Node ignores a file that it cannot read';
    try {
      const found = [...(await readFile(file, 'utf8')).matchAll(pem)].map(([text]) => new X509Certificate(text));
      if (found.length > 0) return found;
    } catch (error) {
      throw new CannotCheck(fault(`${file}: ${(error as Error).message}`, fix));
    }
    throw new CannotCheck(fault(`${file} contains no certificate`, fix));
  },
  checks: [
    {
      name: 'extra_ca',
      about:
        'the certificates of NODE_EXTRA_CA_CERTS can be read and are valid for another month; of 20 and more, some may have expired',
      run(found) {
        const expirations = found.map(({ subject, validTo }) => ({
          name: subject.replaceAll('\n', ', '),
          at: Date.parse(validTo),
        }));
        const expired = expirations.filter(({ at }) => at < Date.now());
        const fix = 'put the new certificate into the file and restart gateway and dispatchers';
        if (expired.length === expirations.length) return fault(`expired: ${listNames(expired)}`, fix);
        if (expirations.length >= bundleFrom) return ok(describeBundle(expirations.length, expired));
        if (expired.length > 0)
          return warning(`${expired.length} of ${expirations.length} are expired: ${listNames(expired)}`, fix);
        const soon = expirations.filter(({ at }) => at < Date.now() + warnBeforeMs);
        return soon.length > 0 ? warning(`expiring soon: ${listNames(soon)}`, fix) : ok(`${found.length} are valid`);
      },
    },
  ],
});

/** The authorities that expire last come first, because an operator's authority may be among them. */
function describeBundle(total: number, expired: readonly Expiration[]): string {
  if (expired.length === 0) return `${total} are valid`;
  const named = listNames(expired.toSorted((one, other) => other.at - one.at));
  return `${total - expired.length} of ${total} are valid; in a bundle of authorities some expired ones are normal: ${named}`;
}

interface Expiration {
  name: string;
  at: number;
}

/** The most certificates that a message names. */
const namedAtMost = 3;

function listNames(certificates: readonly Expiration[]): string {
  const names = certificates
    .slice(0, namedAtMost)
    .map(({ name, at }) => `${name} (${new Date(at).toISOString().slice(0, 10)})`);
  return names.join('; ') + (certificates.length > namedAtMost ? ' and others' : '');
}
