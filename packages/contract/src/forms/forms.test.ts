import { describe, expect, it } from '@jest/globals';
import { captureCompleted, captureFailed } from '../events/events.ts';
import { contractForm, type FormName, forms, planOf } from './forms.ts';
import { signatureHeaders } from './signatures.ts';

// These tests repeat the published contract, so that a change to either form must also be made here, deliberately.

interface Published {
  form: FormName;
  /** The published name, monthly limit, rate per second and burst, and our days for which files are kept. */
  plans: [string, number | null, number | null, number, number][];
  rateLimitReset: boolean;
  retryAfter: string;
  events: string[];
  completedFields: string[];
  batchResultFileUrl: boolean;
  signature: string;
  timeoutMs: number;
  retryDelaysMs: number[];
  lostAttempt: string;
  history: boolean;
  adjustable: boolean;
  registration: boolean;
  ownSigningSecret: boolean;
  unreachable: string;
  unreachableMessage: string;
}

/** RFC 4231, test case 2: HMAC-SHA256 with the key `Jefe`. */
const vector = {
  secret: 'Jefe',
  body: 'what do ya want for nothing?',
  hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
};

const published: Published[] = [
  {
    form: 'A',
    plans: [
      ['free', 50, 1, 5, 7],
      ['pro', 2_000, 5, 200, 30],
      ['business', 10_000, 10, 1_000, 30],
      ['enterprise', null, null, 0, 90],
    ],
    rateLimitReset: true,
    retryAfter: 'always',
    events: ['capture.completed', 'capture.failed', 'batch.completed'],
    completedFields: ['duration_ms', 'file_size', 'format', 'height', 'type', 'url', 'width'],
    batchResultFileUrl: false,
    signature: `sha256=${vector.hex}`,
    timeoutMs: 10_000,
    retryDelaysMs: [],
    lostAttempt: 'drop',
    history: false,
    adjustable: false,
    registration: false,
    ownSigningSecret: false,
    unreachable: 'URL_UNREACHABLE',
    unreachableMessage:
      'The URL could not be reached: its name could not be resolved. Check that it is valid and publicly accessible.',
  },
  {
    form: 'B',
    plans: [
      ['free', 200, 1, 0, 7],
      ['starter', 2_000, 5, 0, 14],
      ['pro', 15_000, 10, 0, 30],
      ['business', 50_000, 20, 0, 30],
      ['enterprise', 999_999, 20, 0, 90],
    ],
    rateLimitReset: false,
    retryAfter: 'when limited',
    events: ['capture.completed', 'capture.failed', 'batch.completed', 'batch.progress'],
    completedFields: ['expires_at', 'file_size', 'file_url', 'format', 'height', 'type', 'url', 'width'],
    batchResultFileUrl: true,
    signature: vector.hex,
    timeoutMs: 30_000,
    retryDelaysMs: [30_000, 120_000, 600_000, 3_600_000, 14_400_000],
    lostAttempt: 'send again',
    history: true,
    adjustable: true,
    registration: true,
    ownSigningSecret: true,
    unreachable: 'NAVIGATION_FAILED',
    unreachableMessage: 'Could not navigate to the URL: its name could not be resolved.',
  },
];

const facts = {
  request_id: 'req_1',
  url: 'https://example.com/',
  type: 'screenshot',
  format: 'png',
  width: 1_280,
  height: 720,
  file_size: 34_567,
  duration_ms: 812,
  file_url: 'https://captures.example.com/files/req_1.png?expires=1',
  expires_at: '2026-11-27T10:00:00.000Z',
} as const;

describe.each(published)('form $form', (contract) => {
  const form = forms[contract.form];

  it('is found by its name', () => {
    expect(form.name).toBe(contract.form);
    expect(contractForm(contract.form)).toEqual(form);
  });

  it('has exactly the published plans', () => {
    const plans = Object.entries(form.plans).map(([name, plan]) => [
      name,
      plan.monthlyLimit,
      plan.perSecond,
      plan.burst,
      plan.fileRetentionDays,
    ]);
    expect(plans).toEqual(contract.plans);
  });

  it('gives a new account one of its plans', () => {
    expect(form.newAccountPlan).toBe('free');
    expect(planOf(form, form.newAccountPlan)).toBe(form.plans.free);
  });

  it.each(['platinum', '', 'constructor', '__proto__', 'toString'])(
    'gives an account with the unknown plan %j the plan of new accounts',
    (name) => {
      expect(planOf(form, name)).toBe(form.plans.free);
    },
  );

  it('sends the published headers', () => {
    expect(form.headers).toEqual({ rateLimitReset: contract.rateLimitReset, retryAfter: contract.retryAfter });
  });

  it('has the published fields of a completed capture, and no other', () => {
    const event = captureCompleted(form, facts, new Date('2026-11-20T10:00:00Z'));
    const { data, ...envelope } = JSON.parse(event.body.toString());
    expect(Object.keys(data).sort()).toEqual(contract.completedFields);
    for (const [name, value] of Object.entries(data)) expect(value).toBe(facts[name as keyof typeof facts]);
    expect(envelope).toEqual({
      event: 'capture.completed',
      timestamp: '2026-11-20T10:00:00.000Z',
      request_id: 'req_1',
    });
  });

  it('has the published fields of a failed capture, and no other', () => {
    const failed = { request_id: 'req_1', url: 'https://example.com/', type: 'screenshot' } as const;
    const error = { error_code: 'CAPTURE_TIMEOUT', error_message: 'It took longer than 30 s.' } as const;
    // A caller may pass a wider object, so there is a field too many.
    const event = captureFailed({ ...failed, ...error, accountId: 'acc_1' } as never, new Date(0));
    expect(JSON.parse(event.body.toString())).toEqual({
      event: 'capture.failed',
      timestamp: '1970-01-01T00:00:00.000Z',
      request_id: 'req_1',
      data: { url: 'https://example.com/', type: 'screenshot', ...error },
    });
  });

  it('has the published events', () => {
    expect(form.events.names).toEqual(contract.events);
    expect(form.events.batchResultFileUrl).toBe(contract.batchResultFileUrl);
  });

  it('signs as published', () => {
    const headers = signatureHeaders(form, {
      eventId: 'evt_1',
      body: Buffer.from(vector.body),
      at: new Date(0),
      secrets: [vector.secret],
    });
    expect(headers['X-Service-Signature']).toBe(contract.signature);
  });

  it('delivers as published', () => {
    expect(form.delivery).toEqual({
      timeoutMs: contract.timeoutMs,
      retryDelaysMs: contract.retryDelaysMs,
      lostAttempt: contract.lostAttempt,
      history: contract.history,
      adjustable: contract.adjustable,
    });
  });

  it('lets an operator change the delivery times only if the form allows it, without changing the published times', () => {
    const times = { timeoutMs: 1, retryDelaysMs: [1, 2, 3, 4, 5] };
    const { delivery, ...rest } = contractForm(contract.form, times);
    const { delivery: before, ...restBefore } = form;
    expect(delivery).toEqual(contract.adjustable ? { ...before, ...times } : before);
    expect(rest).toEqual(restBefore);
    expect(forms[contract.form].delivery.timeoutMs).toBe(contract.timeoutMs);
  });

  it('offers the published webhook routes', () => {
    expect(form.webhooks).toEqual({
      registration: contract.registration,
      ownSigningSecret: contract.ownSigningSecret,
    });
  });

  it('has the published error of a page that could not be reached', () => {
    expect(form.errors.unreachable).toBe(contract.unreachable);
    expect(form.errors.unreachableMessage('its name could not be resolved')).toBe(contract.unreachableMessage);
  });
});
