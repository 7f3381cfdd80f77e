import { describe, expect, it } from '@jest/globals';
import { forms } from '../forms/forms.ts';
import { type CompletedCapture, captureCompleted, captureFailed } from './events.ts';

// These tests compare exact bytes: an event must not change by an order of fields or a space, because it is stored and signed.

const at = new Date('2026-11-20T10:00:00.120Z');
const capture: CompletedCapture = {
  request_id: 'req_01',
  url: 'https://example.com/ä?q="<&>"',
  type: 'screenshot',
  format: 'png',
  width: 2_560,
  height: 1_440,
  file_size: 34_567,
  duration_ms: 812,
  file_url: 'https://captures.example.com/f/req_01.png',
  expires_at: '2026-11-27T10:00:00.120Z',
};
const common =
  '{"event":"capture.completed","timestamp":"2026-11-20T10:00:00.120Z","request_id":"req_01","data":{"url":"https://example.com/ä?q=\\"<&>\\"","type":"screenshot","format":"png","width":2560,"height":1440,"file_size":34567,';

describe('capture.completed', () => {
  it.each([
    ['A', `${common}"duration_ms":812}}`],
    ['B', `${common}"file_url":"https://captures.example.com/f/req_01.png","expires_at":"2026-11-27T10:00:00.120Z"}}`],
  ] as const)('of form %s has exactly the published bytes', (name, bytes) => {
    const event = captureCompleted(forms[name], capture, at);
    expect(event.name).toBe('capture.completed');
    expect(event.body.equals(Buffer.from(bytes, 'utf8'))).toBe(true);
  });

  it('lists the outputs after the published fields, with links if the form has links', () => {
    const file = {
      name: 'words',
      kind: 'text',
      format: 'text',
      file_size: 6,
      file_url: 'https://captures.example.com/x',
    } as const;
    const { file_url, ...unlinked } = file;
    for (const [name, expected] of [
      ['A', unlinked],
      ['B', { ...unlinked, file_url }],
    ] as const) {
      const { data } = JSON.parse(captureCompleted(forms[name], { ...capture, outputs: [file] }, at).body.toString());
      expect(data.outputs).toEqual([expected]);
    }
  });

  it('has integer sizes and times in ISO 8601 UTC', () => {
    for (const form of Object.values(forms)) {
      const { timestamp, data } = JSON.parse(captureCompleted(form, capture, at).body.toString());
      for (const field of ['width', 'height', 'file_size']) expect(Number.isInteger(data[field])).toBe(true);
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    }
  });
});

it('capture.failed has exactly the published bytes', () => {
  const event = captureFailed(
    {
      request_id: 'req_01',
      url: 'https://example.com/',
      type: 'pdf',
      error_code: 'CAPTURE_TIMEOUT',
      error_message: 'It took longer than 30,000 ms.',
    },
    at,
  );
  expect(event.name).toBe('capture.failed');
  expect(event.body.toString()).toBe(
    '{"event":"capture.failed","timestamp":"2026-11-20T10:00:00.120Z","request_id":"req_01","data":{"url":"https://example.com/","type":"pdf","error_code":"CAPTURE_TIMEOUT","error_message":"It took longer than 30,000 ms."}}',
  );
});
