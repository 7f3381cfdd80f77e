import { expect, it } from '@jest/globals';
import { sampleEvent } from '../events/sample-events.ts';
import { forms } from '../forms/forms.ts';
import { eventBody } from './webhook-responses.ts';

it.each(Object.values(forms).flatMap((form) => form.events.names.map((name) => [form.name, name] as const)))(
  'form %s: %s matches its schema',
  (formName, name) => {
    const form = forms[formName];
    const { body } = sampleEvent(form, name, new Date('2026-11-20T10:00:00Z'));
    expect(eventBody(form, name).parse(JSON.parse(body.toString()))).toEqual(JSON.parse(body.toString()));
  },
);

it('an event that differs between the forms does not match the schema of the other form', () => {
  const completed = (formName: 'A' | 'B') =>
    JSON.parse(sampleEvent(forms[formName], 'capture.completed', new Date()).body.toString());
  expect(eventBody(forms.A, 'capture.completed').safeParse(completed('B')).success).toBe(false);
  expect(eventBody(forms.B, 'capture.completed').safeParse(completed('A')).success).toBe(false);
});
