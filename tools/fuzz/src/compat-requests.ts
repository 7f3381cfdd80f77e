import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hostileName, hostileText, hostileValue, weighted } from './hostile.ts';
import { asJson, escaped, headOf, inQuery, type Known, type WireRequest } from './requests-of-operation.ts';

/** Options of any service, under any of their names. */
const names = [
  ...['url', 'html', 'markdown', 'format', 'width', 'height', 'viewport_width', 'viewport', 'device_scale_factor'],
  ...['full_page', 'fullPage', 'selector', 'clip', 'crop', 'quality', 'image_quality', 'delay', 'wait_until', 'ttl'],
  ...['cookies', 'cookie', 'headers', 'header', 'authorization', 'hide_selectors', 'hide_selector', 'css', 'js'],
  ...['options', 'gotoOptions', 'waitForSelector', 'addStyleTag', 'rejectResourceTypes', 'time_zone', 'geolocation'],
  ...['response_type', 'async', 'webhook_url', 'cache', 'cache_ttl', 'fresh', 'thumbnail_width', 'paperWidth', 'files'],
];

const page = 'https://127.0.0.1/';

type Values = readonly (readonly [string, unknown])[];

const values: fc.Arbitrary<Values> = fc
  .array(fc.tuple(weighted([6, fc.constantFrom(...names)], [1, hostileName]), hostileValue), { maxLength: 4 })
  .map((odd) => [['url', page] as const, ...odd]);

const queryOf = (given: Values) =>
  given.map(([name, value]) => `${escaped(name)}=${escaped(inQuery(value))}`).join('&');
const jsonOf = (given: Values) =>
  `{${given.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;

/** Generates requests as clients of other services send them. No worker runs here, so their captures wait. */
export function compatRequests({ apiKeys, links }: Known): fc.Arbitrary<WireRequest> {
  const key = fc.constantFrom(...apiKeys);
  const inUrl = (path: string, keyName: string) =>
    fc.tuple(key, values).map(([apiKey, given]) => ({
      head: headOf(`GET /compat/${path}?${keyName}=${apiKey}&${queryOf(given)}`, []),
      body: '',
    }));
  const inBody = (path: string, more: (apiKey: string) => { query?: string; headers?: string[] }) =>
    fc.tuple(key, values).map(([apiKey, given]) => {
      const { headers, bytes } = asJson(jsonOf(given));
      const { query = '', headers: own = [] } = more(apiKey);
      return { head: headOf(`POST /compat/${path}${query}`, [...own, ...headers]), body: bytes };
    });
  const bearer = (apiKey: string) => ({ headers: [`Authorization: Bearer ${apiKey}`] });
  const token = (apiKey: string) => ({ query: `?token=${apiKey}` });
  const urlboxLink = fc
    .tuple(fc.constantFrom(...links), fc.constantFrom('png', 'pdf', 'gif', 'md'), values)
    .map(([{ keyId, secret }, format, given]) => {
      const query = queryOf(given);
      const signature = createHmac('sha256', secret).update(query).digest('hex');
      return { head: headOf(`GET /compat/urlbox/v1/${keyId}/${signature}/${format}?${query}`, []), body: '' };
    });
  return fc.oneof(
    inUrl('screenshotone/take', 'access_key'),
    inBody('screenshotone/take', (apiKey) => ({ headers: [`X-Access-Key: ${apiKey}`] })),
    inBody('urlbox/v1/render/async', bearer),
    urlboxLink,
    inUrl('apiflash/v1/urltoimage', 'access_key'),
    inBody('browserless/screenshot', token),
    inBody('browserless/pdf', token),
    inBody('browserless/content', token),
    fc.tuple(key, fc.constantFrom('url', 'html', 'markdown'), parts).map(([apiKey, route, bytes]) => ({
      head: headOf(`POST /compat/gotenberg/forms/chromium/convert/${route}`, [
        `X-Api-Key: ${apiKey}`,
        'Content-Type: multipart/form-data; boundary=edge',
        `Content-Length: ${bytes.length}`,
      ]),
      body: bytes,
    })),
  );
}

/** Generates a part of a form, valid or almost valid. */
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
