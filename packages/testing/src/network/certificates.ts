import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';
import { makeTestFolder } from '../test-run.ts';

export interface Authority {
  key: string;
  cert: string;
  /** The certificate as a file, for `NODE_EXTRA_CA_CERTS` of a process. */
  file: string;
}

const day = 86_400_000;
const keyType = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Creates a certificate authority that no client trusts by default. */
export async function createAuthority(): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: 'Test authority' }], {
    ...keyType,
    notBeforeDate: new Date(Date.now() - day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const file = path.join(makeTestFolder('authority'), 'ca.pem');
  writeFileSync(file, made.cert);
  return { key: made.private, cert: made.cert, file };
}

/** The kind of a receiver's certificate. Clients must reject all kinds but the first. */
export type CertificateKind = 'trusted' | 'self-signed' | 'expired' | 'wrong-name';

/** Creates a certificate for 127.0.0.1, ::1, localhost and `names`. */
export async function createCertificate(authority: Authority, kind: CertificateKind, names: readonly string[]) {
  const altNames =
    kind === 'wrong-name'
      ? [{ type: 2 as const, value: 'elsewhere.example' }]
      : [
          ...['localhost', ...names].map((value) => ({ type: 2 as const, value })),
          ...['127.0.0.1', '::1'].map((ip) => ({ type: 7 as const, ip })),
        ];
  const made = await generate([{ name: 'commonName', value: 'receiver' }], {
    ...keyType,
    notBeforeDate: new Date(Date.now() - 2 * day),
    notAfterDate: new Date(Date.now() + (kind === 'expired' ? -day : day)),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
    ...(kind !== 'self-signed' && { ca: authority }),
  });
  return { key: made.private, cert: made.cert };
}
