import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CannotCheck, fault, group, notChecked, ok, warning } from './check.ts';

const soonMs = 30 * 86_400_000;

const pem = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

export const certificates = group<readonly X509Certificate[]>({
  name: 'certificates',
  async open({ env: { NODE_EXTRA_CA_CERTS: file } }) {
    if (!file) throw new CannotCheck(notChecked('NODE_EXTRA_CA_CERTS is not set in this shell'));
    const fix = 'let NODE_EXTRA_CA_CERTS name a file of certificates in PEM; Node passes over one that it cannot read';
    try {
      const found = [...(await readFile(file, 'utf8')).matchAll(pem)].map(([text]) => new X509Certificate(text));
      if (found.length > 0) return found;
    } catch (error) {
      throw new CannotCheck(fault(`${file}: ${(error as Error).message}`, fix));
    }
    throw new CannotCheck(fault(`${file} has no certificate in it`, fix));
  },
  checks: [
    {
      name: 'extra_ca',
      about: 'the certificates of NODE_EXTRA_CA_CERTS can be read and hold for a month more',
      run(found) {
        const ends = found.map(({ subject, validTo }) => ({
          name: subject.replaceAll('\n', ', '),
          at: Date.parse(validTo),
        }));
        const past = ends.filter(({ at }) => at < Date.now());
        const fix = 'put the new certificate into the file and restart gateway and dispatchers';
        if (past.length === ends.length) return fault(`over: ${told(past)}`, fix);
        // A bundle of many often has one that nobody needs any more.
        if (past.length > 0) return warning(`${past.length} of ${ends.length} are over: ${told(past)}`, fix);
        const soon = ends.filter(({ at }) => at < Date.now() + soonMs);
        return soon.length > 0 ? warning(`ending soon: ${told(soon)}`, fix) : ok(`${found.length} hold`);
      },
    },
  ],
});

/** Of a bundle the first few. */
const named = 3;

function told(ends: readonly { name: string; at: number }[]): string {
  const names = ends.slice(0, named).map(({ name, at }) => `${name} (${new Date(at).toISOString().slice(0, 10)})`);
  return names.join('; ') + (ends.length > named ? ' and others' : '');
}
