import { createHmac } from 'node:crypto';
import { services } from '@capture/api-gateway/routes/compat/protocols';
import { idOf, type KeyPlace, routesIn, type Service } from '@capture/contract/translations/service';
import fc from 'fast-check';
import { hostileName, hostileText, hostileValue, weighted } from './hostile.ts';
import { asJson, escaped, headOf, inQuery, type Known, type WireRequest } from './requests-of-operation.ts';

const page = 'https://127.0.0.1/';

type Values = readonly (readonly [string, unknown])[];

/** Options of a service, and objects that some have them in. */
function valuesFor({ table }: Service): fc.Arbitrary<Values> {
  const names = [...Object.keys(table), 'options', 'gotoOptions', 'waitForSelector', 'viewport', 'files'];
  const [urlName = 'url'] = Object.entries(table).find(([, row]) => 'ours' in row && row.ours === 'url') ?? [];
  return fc
    .array(fc.tuple(weighted([6, fc.constantFrom(...names)], [1, hostileName]), hostileValue), { maxLength: 4 })
    .map((odd) => [[urlName, page] as const, ...odd]);
}

const queryOf = (given: Values) =>
  given.map(([name, value]) => `${escaped(name)}=${escaped(inQuery(value))}`).join('&');
const jsonOf = (given: Values) =>
  `{${given.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;

/** Requests as clients of other services send them, to every path. Their captures wait: no worker runs here. */
export function compatRequests({ apiKeys, links }: Known): fc.Arbitrary<WireRequest> {
  const key = fc.constantFrom(...apiKeys);
  return fc.oneof(
    ...services.flatMap((service) => {
      const values = valuesFor(service);
      const prefix = `/compat/${idOf(service)}`;
      const sent = fc.tuple(fc.constantFrom(...service.keys), key).map(([place, apiKey]) => withKey(place, apiKey));
      return routesIn(service).map(({ method, path }) => {
        if (path.includes('/:token')) return signedWith(links, `${prefix}${path}`, values);
        const head = `${method} ${prefix}${path.replace(':id', 'req_none')}`;
        if (method === 'GET') {
          return fc.tuple(sent, values).map(([{ query, headers }, given]) => ({
            head: headOf(`${head}?${query}&${queryOf(given)}`, headers),
            body: '',
          }));
        }
        const body = service.body === 'form' ? parts.map(asForm) : values.map((given) => asJson(jsonOf(given)));
        return fc.tuple(sent, body).map(([{ query, headers }, { headers: more, bytes }]) => ({
          head: headOf(`${head}?${query}`, [...headers, ...more]),
          body: bytes,
        }));
      });
    }),
  );
}

/** A link whose path has the ID of a key and the signature of its query. */
function signedWith(links: Known['links'], path: string, values: fc.Arbitrary<Values>): fc.Arbitrary<WireRequest> {
  return fc
    .tuple(fc.constantFrom(...links), fc.constantFrom('png', 'pdf', 'gif', 'md'), values)
    .map(([{ keyId, secret }, format, given]) => {
      const query = queryOf(given);
      const signature = createHmac('sha256', secret).update(query).digest('hex');
      const filled = path.replace(':key', keyId).replace(':token', signature).replace(':format', format);
      return { head: headOf(`GET ${filled}?${query}`, []), body: '' };
    });
}

/** A key where the service has it, but for one in a body: this is in the query. */
function withKey(place: KeyPlace, apiKey: string): { query: string; headers: string[] } {
  const basic = (text: string) => [`Authorization: Basic ${Buffer.from(text).toString('base64')}`];
  switch (place.in) {
    case 'header':
      return { query: '', headers: [`${place.name}: ${apiKey}`] };
    case 'bearer':
      return { query: '', headers: [`Authorization: Bearer ${apiKey}`] };
    case 'user name':
      return { query: '', headers: basic(`${apiKey}:`) };
    case 'password':
      return { query: '', headers: basic(`user:${apiKey}`) };
    default:
      return { query: `${place.name}=${apiKey}`, headers: [] };
  }
}

const asForm = (bytes: Buffer) => ({
  bytes,
  headers: ['Content-Type: multipart/form-data; boundary=edge', `Content-Length: ${bytes.length}`],
});

/** A form, or almost one. */
const parts: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('url', 'files', 'paperWidth', 'cookies', 'waitDelay', '', '"', 'a\r\nb'),
        fc.constantFrom('', '; filename="index.html"', '; filename="../a"', '; filename=""', "; filename*=utf-8''x"),
        weighted([2, hostileText], [1, fc.constantFrom(page, '<p>page</p>', '{{ toHTML "a.md" }}')]),
      ),
      { maxLength: 5 },
    ),
    fc.constantFrom('--edge--\r\n', '--edge', '', '--other--\r\n'),
  )
  .map(([fields, end]) =>
    Buffer.from(
      `${fields.map(([name, file, text]) => `--edge\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`).join('')}${end}`,
    ),
  );
