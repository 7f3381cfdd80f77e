import { expect, it } from '@jest/globals';
import { controlOf } from './control.ts';

it('enters a length as text, and a margin as text or its sides', () => {
  const length = { anyOf: [{ type: 'number' }, { type: 'string' }] } as const;
  expect(controlOf('paper_width', { anyOf: [...length.anyOf] })).toBe('text');
  const sides = { type: 'object', properties: { top: { type: 'string' } } } as const;
  expect(controlOf('margin', { anyOf: [...length.anyOf, sides] })).toBe('text or parts');
  expect(controlOf('wait_until', { anyOf: [{ type: 'string' }, { type: 'array' }] })).toBe('texts');
});

it('enters a list of numbers or texts as tags, and one of objects as JSON', () => {
  const either = { anyOf: [{ type: 'integer' as const }, { type: 'string' as const }] };
  expect(controlOf('fail_on_status', { type: 'array', items: either })).toBe('texts');
  expect(controlOf('steps', { type: 'array', items: { oneOf: [{ type: 'object' }] } })).toBe('json');
  const kind = { type: 'object', properties: { kind: { type: 'string', const: 'pdf' } } } as const;
  expect(controlOf('outputs', { type: 'array', items: { oneOf: [kind] } })).toBe('outputs');
});
