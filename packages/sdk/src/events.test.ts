import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CaptureErrorCode as ContractErrorCode, captureErrorCodes } from '@capture/contract/errors';
import {
  batchCompleted,
  batchProgress,
  type CaptureType as ContractType,
  captureCompleted,
  captureFailed,
  type SerialisedEvent,
} from '@capture/contract/events/events';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import {
  type CaptureErrorCode,
  type CaptureType,
  isWebhookEventName,
  type WebhookEvent,
  type WebhookEventName,
} from './events.ts';

type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

/** The type checker compares the SDK's words with the contract's. */
const sameWords: [
  Same<CaptureErrorCode, ContractErrorCode>,
  Same<CaptureType, ContractType>,
  Same<WebhookEventName, SerialisedEvent['name']>,
] = [true, true, true];

const at = new Date('2025-03-01T12:00:00.000Z');
const timestamp = at.toISOString();
const subject = { request_id: 'req_1', url: 'https://example.com/' };
const screenshot = { format: 'png', width: 1280, height: 720, file_size: 4_096 };
const links = { file_url: 'https://files.example.com/1', expires_at: timestamp };
const failure = { error_code: 'HTTP_STATUS', error_message: 'The page responded 404.' } as const;
const counts = { total: 20, succeeded: 9, failed: 1 };
const results = [
  { ...subject, status: 'completed', error_code: null, file_url: links.file_url },
  { ...subject, status: 'failed', error_code: 'HTTP_STATUS', file_url: null },
];

/** Returns events that satisfy the types. Fields of a single form come from `own`. */
function typed(own: { completed: object; result: object }): WebhookEvent[] {
  const { request_id, url } = subject;
  return [
    {
      event: 'capture.completed',
      timestamp,
      request_id,
      data: { url, type: 'screenshot', ...screenshot, ...own.completed },
    },
    { event: 'capture.failed', timestamp, request_id, data: { url, type: 'og_image', ...failure } },
    {
      event: 'batch.completed',
      timestamp,
      batch_id: 'batch_1',
      data: {
        ...counts,
        results: [
          { ...subject, status: 'completed', ...own.result },
          { ...subject, status: 'failed', error_code: 'HTTP_STATUS' },
        ],
      },
    },
    { event: 'batch.progress', timestamp, batch_id: 'batch_1', data: { ...counts, processed: 10, percent: 50 } },
  ];
}

const expected: Record<FormName, WebhookEvent[]> = {
  A: typed({ completed: { duration_ms: 1_500 }, result: {} }),
  B: typed({ completed: links, result: { file_url: links.file_url } }),
};

describe.each(['A', 'B'] satisfies FormName[])('the events of form %s', (name) => {
  it('match their types', () => {
    const form = forms[name];
    const sent = [
      captureCompleted(form, { ...subject, ...screenshot, ...links, type: 'screenshot', duration_ms: 1_500 }, at),
      captureFailed({ ...subject, ...failure, type: 'og_image' }, at),
      batchCompleted(form, 'batch_1', counts, results, at),
      batchProgress('batch_1', counts, at),
    ];
    expect(sent.map(({ body }) => JSON.parse(body.toString()))).toEqual(expected[name]);
    for (const event of sent) expect(isWebhookEventName(event.name)).toBe(true);
    expect(sent.map((event) => event.name).sort()).toEqual([...forms.B.events.names].sort());
  });
});

it('docs/webhooks.md has a row for every event', () => {
  const documented = readFileSync(path.join(repositoryRoot, 'docs', 'webhooks.md'), 'utf8');
  expect(forms.B.events.names.filter((name) => !documented.includes(`\n| \`${name}\``))).toEqual([]);
});

it('the names match the contract', () => {
  expect(sameWords).toEqual([true, true, true]);
  expect(captureErrorCodes).toContain(failure.error_code);
  for (const name of ['capture.moved', 'constructor', '', null, ['capture.failed']]) {
    expect(isWebhookEventName(name)).toBe(false);
  }
});
