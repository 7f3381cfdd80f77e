import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { z } from 'zod';
import type { Kind } from './capture-option.ts';
import { addOptionFlags, flagOf, optionsOf } from './option-flags.ts';

/** Reads the options that flags set. */
function read(type: Kind, ...args: string[]): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr() {} });
  const readOptions = addOptionFlags(command, [type]);
  command.parse(args, { from: 'user' });
  return readOptions();
}

describe.each(allCaptureKinds.map((kind) => [kind.type, kind] as const))('%s', (type, kind) => {
  const { properties = {} } = z.toJSONSchema(kind.request.in, { io: 'input', unrepresentable: 'any' });

  it.each(optionsOf([type]).map(({ name }) => name))(
    '%s: its flag sets the value of the contract’s example',
    (name) => {
      const { example } = properties[name] as { example: unknown };
      expect(example).toBeDefined();
      const text = typeof example === 'string' ? example : JSON.stringify(example);
      const args =
        typeof example === 'boolean'
          ? [example ? flagOf(name) : flagOf(name).replace('--', '--no-')]
          : [flagOf(name), text];
      const values = read(type, ...args);
      // A single value of an option that takes several is a list of one value.
      const expected = name === 'click' && typeof example === 'string' ? [example] : example;
      expect(values).toEqual({ [name]: expected });
      const faults = kind.request.in.safeParse({ url: 'https://example.com/', ...values }).error?.issues ?? [];
      // Rules about combinations of options do not matter here.
      expect(faults.filter(({ code }) => code !== 'custom')).toEqual([]);
    },
  );
});

describe('values', () => {
  it('a list is a repeated flag or comma-separated words; selectors keep their commas', () => {
    expect(read('screenshot', '--hide-selectors', ':is(.a, .b)', '--hide-selectors', '[data-ad]')).toEqual({
      hide_selectors: [':is(.a, .b)', '[data-ad]'],
    });
    expect(read('screenshot', '--block-resources', 'image,font', '--fail-on-status', '404,5xx')).toEqual({
      block_resources: ['image', 'font'],
      fail_on_status: [404, '5xx'],
    });
  });

  it('an option that is text or an object takes both', () => {
    expect(read('pdf', '--margin', '15mm')).toEqual({ margin: '15mm' });
    expect(read('pdf', '--margin', '{"top":"20mm"}')).toEqual({ margin: { top: '20mm' } });
  });

  it('an option that is on by default can be turned off', () => {
    expect(read('pdf', '--no-print-background')).toEqual({ print_background: false });
    expect(read('screenshot', '--no-scroll', '--full-page')).toEqual({ scroll: false, full_page: true });
  });

  it('any option can be set by name, even one of a newer server', () => {
    expect(read('screenshot', '--option', 'delay-ms=500', '--option', 'brand_new={"a":1}')).toEqual({
      delay_ms: 500,
      brand_new: { a: 1 },
    });
  });

  it.each([
    [['--width', 'wide'], '--width must be a number'],
    [['--width', '1', '--width', '2'], '--width is set 2 times'],
    [['--clip', '{x}'], '--clip must be JSON'],
    [['--option', 'delay_ms'], '--option needs a name and a value'],
    [['--option-file', 'css=/nowhere/at/all.css'], '/nowhere/at/all.css cannot be read: it does not exist'],
  ])('rejects %j', (args, message) => {
    expect(() => read('screenshot', ...args)).toThrow(message);
  });

  it('error messages do not contain confidential values', () => {
    expect(() => read('screenshot', '--cookies', 'session=hunter2')).toThrow(/^(?!.*hunter2)/);
  });
});
