import { describe, expect, it } from '@jest/globals';
import { type FormName, forms } from '../forms/forms.ts';
import { sampleEvent } from './sample-events.ts';

const at = new Date('2026-11-20T10:00:00.120Z');

describe.each(['A', 'B'] as const satisfies FormName[])('form %s', (formName) => {
  const form = forms[formName];

  it.each(form.events.names)('the sample of %s has the envelope of the real event', (name) => {
    const event = sampleEvent(form, name, at);
    expect(event.name).toBe(name);
    const { event: eventName, timestamp, request_id, batch_id, data } = JSON.parse(event.body.toString());
    expect({ eventName, timestamp }).toEqual({ eventName: name, timestamp: at.toISOString() });
    expect(name.startsWith('batch.') ? batch_id : request_id).toMatch(/sample/);
    expect(Object.values(data)).not.toContain(null);
  });

  it('has consistent numbers', () => {
    const { data } = JSON.parse(sampleEvent(form, 'batch.completed', at).body.toString());
    const of = (status: string) => data.results.filter((result: { status: string }) => result.status === status);
    expect(of('completed')).toHaveLength(data.succeeded);
    expect(of('failed')).toHaveLength(data.failed);
    expect(data.succeeded + data.failed).toBe(data.total);
  });
});

it('the sample of a form has the fields of that form', () => {
  const dataOf = (name: FormName) => JSON.parse(sampleEvent(forms[name], 'capture.completed', at).body.toString()).data;
  expect(dataOf('A')).toHaveProperty('duration_ms');
  expect(dataOf('A')).not.toHaveProperty('file_url');
  expect(dataOf('B')).toMatchObject({ expires_at: '2026-11-21T10:00:00.120Z' });
});
