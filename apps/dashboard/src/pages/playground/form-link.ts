import type { CaptureType } from '../../api/responses.ts';
import type { OptionSchema } from '../../api/service.ts';
import { kinds } from '../../captures/kinds.ts';
import { canShow, controlOf, type OptionValues } from '../../options/control.ts';

export interface Asked {
  type: CaptureType;
  values: OptionValues;
}

/** What is confided to one capture is in no link: not in a history, a bookmark or a message. */
const confided: ReadonlySet<string> = new Set(['cookies', 'headers', 'basic_auth']);

/** Longer addresses are cut or refused by some of what they go through, characters. */
const longestLink = 8_000;

/** The form as the part of an address behind the `#`, which is never sent to any server; null if it is too long. */
export function toFragment({ type, values }: Asked): string | null {
  const told = Object.entries(values).filter(([name, value]) => value !== undefined && !confided.has(name));
  const fragment = new URLSearchParams({ type, options: JSON.stringify(Object.fromEntries(told)) });
  const text = `#${fragment}`;
  return text.length > longestLink ? null : text;
}

/** What of the form a link does not carry. */
export function leftOut(values: OptionValues): string[] {
  return [...confided].filter((name) => values[name] !== undefined);
}

/**
 * The form that a link asks for. It may have been written by anybody: what is no option, or nothing that its control can
 * show, is left out, and nothing is captured until a person says so.
 *
 * @param optionsOf the options of a kind.
 */
export function fromFragment(fragment: string, optionsOf: (type: CaptureType) => Record<string, OptionSchema>): Asked {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const type = kinds.find((kind) => kind.type === given.get('type'))?.type ?? 'screenshot';
  const options = optionsOf(type);
  const named = Object.entries(parse(given.get('options')));
  const fitting = named.filter(([name, value]) => {
    const schema = Object.hasOwn(options, name) ? options[name] : undefined;
    return schema !== undefined && !confided.has(name) && canShow(controlOf(name, schema), value);
  });
  return { type, values: Object.fromEntries(fitting) };
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The part of the playground's address that asks for a capture once more. */
export function formLinkOf({ type, options }: { type: CaptureType; options: Record<string, unknown> }): string {
  return toFragment({ type, values: options }) ?? '';
}
