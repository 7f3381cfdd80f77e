import { captureKinds } from '@capture/contract/options/capture-options';
import { describe, expect, it } from '@jest/globals';
import type { FailedRequest } from '../page/page-activity.ts';
import { assess, type Evidence } from './assess.ts';
import type { Inspection } from './inspect.ts';

/** Cases that no real page repeats reliably: gaps at the end of the wait, and failed requests. */

const url = 'https://shop.example/';

const seen = (content: Partial<Inspection['content']> = {}, found: Partial<Inspection['found']> = {}): Inspection => ({
  content: {
    text: 500,
    sample: 'Our garden '.repeat(50),
    marks: 5,
    drawn: true,
    missing: [],
    fonts: false,
    emptyMain: false,
    ...content,
  },
  cover: { cover: null },
  found: {
    ...{ url, title: 'Our garden', markers: [], frames: [], passwords: 0, newPassword: false, inPlace: false },
    ...{ fields: 0, buttons: [], heading: 'Our garden', leadsOn: false, ...found },
  },
});

const evidence = (part: Partial<Evidence>): Evidence => ({
  request: captureKinds.screenshot.request.parse({ url }),
  area: { kind: 'viewport' },
  inspection: seen(),
  // The size is too large for an image of one colour.
  file: { format: 'png', bytes: Buffer.alloc(1_000), width: 10, height: 10 },
  document: { status: 200, truncated: false },
  mainResponse: null,
  failures: [],
  pending: [],
  record: { decision: () => null },
  waitEnded: 'quiet',
  unfinished: [],
  ...part,
});

const failed = (reason: string, type: FailedRequest['type'] = 'fetch'): FailedRequest => ({
  ...{ url: `${url}part`, from: `${url}part` },
  ...{ reason, type },
});
const inFlight: Evidence['pending'] = [
  { url: `${url}part`, method: 'GET', type: 'fetch', inFrame: false, sentAt: 0 } as Evidence['pending'][number],
];
const nothing = { text: 10, marks: 0, drawn: false, sample: 'Loading' };
const challenge = seen({ sample: 'Verifying you are human' }, { title: 'Just a moment...', leadsOn: true });

/** Name, evidence, reasons, and whether the result is repairable. */
const cases: [string, Partial<Evidence>, string[], boolean][] = [
  [
    'a header without the data below it',
    { inspection: seen({ emptyMain: true }), failures: [failed('503')] },
    ['incomplete'],
    true,
  ],
  [
    'a header without data of another site',
    {
      inspection: seen({ emptyMain: true }, { url: 'https://other.example/' }),
      failures: [{ ...failed('503'), from: 'https://cdn.third.net/' }],
    },
    [],
    false,
  ],
  ['a header with a request in flight', { inspection: seen({ emptyMain: true }), pending: inFlight }, [], false],
  ['nothing', {}, [], false],
  ['a wait that was cut off', { waitEnded: 'cut off' }, ['incomplete'], false],
  ['data that the wait went without, in flight', { unfinished: ['data'], pending: inFlight }, ['incomplete'], false],
  ['data that has arrived since', { unfinished: ['data'] }, [], false],
  ['an unfinished image alone, which the look decides', { unfinished: ['image'], pending: inFlight }, [], false],
  ['a request in flight of a page that shows a lot', { pending: inFlight }, [], false],
  [
    'a request in flight of a page that shows nothing',
    { inspection: seen(nothing), pending: inFlight },
    ['incomplete'],
    false,
  ],
  ['a script that is gone', { inspection: seen(nothing), failures: [failed('404', 'script')] }, ['incomplete'], false],
  ['data that is gone', { inspection: seen(nothing), failures: [failed('404')] }, [], false],
  ['data with a 503', { inspection: seen(nothing), failures: [failed('503')] }, ['incomplete'], true],
  [
    'data that the client blocked',
    { inspection: seen(nothing), failures: [failed('net::ERR_BLOCKED_BY_CLIENT')] },
    [],
    false,
  ],
  ['data with a 503, of a page that shows a lot', { failures: [failed('503')] }, [], false],
  [
    'an image with a 404',
    { inspection: seen({ missing: [`${url}part`] }), failures: [failed('404', 'image')] },
    ['incomplete'],
    false,
  ],
  [
    'an image with a 503',
    { inspection: seen({ missing: [`${url}part`] }), failures: [failed('503', 'image')] },
    ['incomplete'],
    true,
  ],
  [
    'an image that its site refuses',
    { inspection: seen({ missing: [`${url}part`] }), failures: [failed('csp', 'image')] },
    ['blocked_content'],
    false,
  ],
  [
    'a font with a 404',
    { inspection: seen({ fonts: true }), failures: [failed('404', 'font')] },
    ['incomplete'],
    false,
  ],
  [
    'a font whose connection broke',
    { inspection: seen({ fonts: true }), failures: [failed('net::ERR_CONNECTION_RESET', 'font')] },
    ['incomplete'],
    true,
  ],
  ['gaps of a challenge', { inspection: challenge, waitEnded: 'cut off' }, ['challenge'], false],
  [
    'gaps of an error page',
    { document: { status: 500, truncated: false }, inspection: seen(nothing), failures: [failed('503')] },
    ['incomplete', 'error_page'],
    false,
  ],
  ['a document that was cut off', { document: { status: 200, truncated: true } }, ['truncated'], true],
  [
    'an error page that was cut off',
    { document: { status: 502, truncated: true } },
    ['truncated', 'error_page'],
    false,
  ],
  [
    'the error of a script on the server, with the status 200',
    {
      inspection: seen({
        text: 90,
        sample: 'Fatal error :  Uncaught Error: Call to undefined function foo() in index.php:12',
      }),
    },
    ['error_page'],
    false,
  ],
  [
    'no response to the look, with the status 404',
    { document: { status: 404, truncated: false }, inspection: null },
    ['error_page'],
    false,
  ],
];

describe('the assessment of a capture', () => {
  it.each(cases)('of %s', async (_, part, reasons, repairable) => {
    expect(await assess(evidence(part))).toMatchObject({ reasons, repairable });
  });

  it('leads on only from a challenge', async () => {
    expect((await assess(evidence({ inspection: challenge }))).leadsOn).toBe(true);
    expect((await assess(evidence({ inspection: seen({}, { leadsOn: true }) }))).leadsOn).toBe(false);
  });
});
