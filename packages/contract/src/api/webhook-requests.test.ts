import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { ApiError } from '../errors.ts';
import { forms } from '../forms/forms.ts';
import { decodeQuery, parseRequest } from '../options/parse-request.ts';
import {
  connectivityTest,
  deliveryFilter,
  endpointChange,
  endpointRegistration,
  endpointTest,
  operatorDeliveryFilter,
  operatorReplayRequest,
  replayedStatuses,
  replayRequest,
  secretRotation,
} from './webhook-requests.ts';

const { A, B } = forms;
const url = 'https://hooks.example.com/captures?token=1';
const events = ['capture.completed'];

function faultOf(schema: z.ZodType, given: unknown): string {
  try {
    parseRequest(schema, given, 'this');
  } catch (error) {
    if (error instanceof ApiError)
      return error.details?.map(({ field, message }) => (field ? `${field} ${message}` : message)).join('; ') ?? '';
    throw error;
  }
  throw new Error('nothing was found wrong');
}

describe('a registration', () => {
  const registration = endpointRegistration(B);

  it('has a URL, events and, if its owner chooses one, a secret', () => {
    const given = { url, events: ['batch.progress', 'capture.failed'], secret: 'whsec_QUJD' };
    expect(parseRequest(registration, given, '')).toEqual(given);
    expect(parseRequest(registration, { url, events }, '')).toEqual({ url, events });
  });

  it.each([
    [{ events }, 'url is required'],
    [{ url: 'http://hooks.example.com/', events }, 'url must begin with https'],
    [{ url: 'https://ada:secret@hooks.example.com/', events }, 'url must not contain a user name or password'],
    [{ url: 'hooks.example.com', events }, 'url must be an absolute URL (https), such as https://example.com/'],
    [{ url: `https://hooks.example.com/${'x'.repeat(8_192)}`, events }, 'url must be at most 8192 characters'],
    [{ url: 'https://hooks.example.com/\u0000', events }, 'url must not contain NUL or half a surrogate pair'],
    [{ url }, 'events is required'],
    [{ url, events: [] }, 'events must have at least 1 entry'],
    [{ url, events: 'capture.completed' }, 'events must be an array'],
    [{ url, events: ['capture.failed', 'capture.failed'] }, 'events must not name an event twice'],
    [
      { url, events: ['capture.failed', 'capture.unknown'] },
      'events.1 must be one of capture.completed, capture.failed, batch.completed, batch.progress',
    ],
    [{ url, events: [1] }, expect.stringMatching(/^events\.0 must be one of /)],
    [{ url, events, secret: 'short' }, 'secret must be 8 to 255 characters'],
    [{ url, events, secret: 'whsec_not base64' }, 'secret must be base64 after whsec_'],
    [{ url, events, secret: null }, 'secret must be text'],
    [{ url, events, status: 'paused' }, expect.stringMatching(/^status is not an option of this/)],
    [{ url, events, webhook_url: url }, expect.stringMatching(/^webhook_url is not an option of this/)],
    [undefined, 'the body must be a JSON object'],
  ])('%.80j: %s', (given, fault) => {
    expect(faultOf(registration, given)).toEqual(fault);
  });
});

it('a connectivity test names its URL webhook_url, and the events that the form has', () => {
  const given = { webhook_url: url, events: ['batch.completed'], secret: 'a secret of mine' };
  expect(parseRequest(connectivityTest(A), given, '')).toEqual(given);
  expect(faultOf(connectivityTest(A), { webhook_url: url, events: ['batch.progress'] })).toBe(
    'events.0 must be one of capture.completed, capture.failed, batch.completed',
  );
  expect(parseRequest(connectivityTest(B), { webhook_url: url, events: ['batch.progress'] }, '')).toBeTruthy();
  expect(faultOf(connectivityTest(A), { url, events })).toContain('webhook_url is required');
});

it('a test of an endpoint, a change and a rotation have no required fields, and refuse unknown fields', () => {
  expect(parseRequest(endpointTest(B), {}, '')).toEqual({});
  expect(parseRequest(endpointChange(B), {}, '')).toEqual({});
  expect(parseRequest(endpointChange(B), { url, events, status: 'paused' }, '')).toEqual({
    url,
    events,
    status: 'paused',
  });
  expect(faultOf(endpointChange(B), { status: 'disabled' })).toBe('status must be one of active, paused');
  expect(faultOf(endpointChange(B), { secret: 'a secret of mine' })).toContain('secret is not an option');
  expect(parseRequest(secretRotation, {}, '')).toEqual({});
  expect(faultOf(secretRotation, { secret: 'x'.repeat(256) })).toBe('secret must be 8 to 255 characters');
});

describe('a filter of deliveries', () => {
  const parse = (query: string, schema = deliveryFilter(B)) =>
    parseRequest(schema, decodeQuery(schema, new URLSearchParams(query)), 'this list');

  it('converts times with any offset to UTC', () => {
    const cursor = `dlv_${'0'.repeat(26)}`;
    const endpoint = `wh_${'0'.repeat(26)}`;
    expect(parse(`status=failed&event=capture.failed&webhook_id=${endpoint}&limit=5&cursor=${cursor}`)).toEqual({
      status: 'failed',
      event: 'capture.failed',
      webhook_id: endpoint,
      limit: 5,
      cursor,
    });
    expect(parse('since=2026-11-20T10:00:00.5Z&until=2026-11-20T13:30:00%2B02:00')).toEqual({
      since: new Date('2026-11-20T10:00:00.500Z'),
      until: new Date('2026-11-20T11:30:00Z'),
      limit: 20,
    });
  });

  it.each([
    [{ status: 'open' }, 'status must be one of pending, delivered, failed, paused'],
    [{ event: 'capture.unknown' }, expect.stringMatching(/^event must be one of capture\.completed, /)],
    [{ webhook_id: 'wh_1' }, 'webhook_id must be the id of an endpoint, such as wh_01kaek2v2gf3d9w8q0x5m7r4tz'],
    [{ webhook_id: `acc_${'0'.repeat(26)}` }, expect.stringMatching(/^webhook_id must be the id of an endpoint/)],
    [{ account_id: 'acc_1' }, expect.stringMatching(/^account_id is not an option/)],
    [{ since: '2026-11-20' }, expect.stringMatching(/^since must be an ISO 8601 time with Z or an offset/)],
    [{ since: '2026-11-20T10:00:00' }, expect.stringMatching(/^since must be an ISO 8601 time with Z or an offset/)],
    [{ since: '2026-11-20T10:00:00 02:00' }, expect.stringContaining('write %2B')],
    [{ since: '2026-02-30T10:00:00Z' }, expect.stringMatching(/^since must be an ISO 8601 time/)],
    [{ until: 1_700_000_000 }, 'until must be text'],
    [{ since: '2026-11-20T10:00:00Z', until: '2026-11-20T12:00:00+02:00' }, 'until must be later than since'],
  ])('%.60j: %s', (given, fault) => {
    expect(faultOf(deliveryFilter(B), given)).toEqual(fault);
  });

  it('also accepts an account for the operator', () => {
    const account = `acc_${'0'.repeat(26)}`;
    expect(parse(`account_id=${account}`, operatorDeliveryFilter(B))).toEqual({ account_id: account, limit: 20 });
  });
});

describe('a replay', () => {
  it('sends failed deliveries by default', () => {
    const since = '2026-11-20T10:00:00Z';
    expect(parseRequest(replayRequest, { since }, '')).toEqual({ since: new Date(since), status: 'failed' });
    expect(replayedStatuses('failed')).toEqual(['failed']);
    expect(replayedStatuses('delivered')).toEqual(['delivered']);
    expect(replayedStatuses('all')).toEqual(['failed', 'delivered']);
  });

  it('requires a beginning, and an end after the beginning', () => {
    const since = '2026-11-20T10:00:00Z';
    expect(faultOf(replayRequest, {})).toBe('since is required');
    expect(faultOf(replayRequest, { since, until: since })).toBe('until must be later than since');
    expect(faultOf(replayRequest, { since, status: 'pending' })).toBe('status must be one of failed, delivered, all');
    expect(faultOf(replayRequest, { since, account_id: 'acc_1' })).toContain('account_id is not an option');
  });

  it('of the operator requires an explicit scope', () => {
    const since = '2026-11-20T10:00:00Z';
    expect(faultOf(operatorReplayRequest, { since })).toBe('status is required: one of failed, delivered, all');
    const ids = { account_id: `acc_${'0'.repeat(26)}`, webhook_id: `wh_${'0'.repeat(26)}` };
    expect(parseRequest(operatorReplayRequest, { since, status: 'all', ...ids }, '')).toEqual({
      since: new Date(since),
      status: 'all',
      ...ids,
    });
  });
});
