import { respellOptions } from '@capture/contract/options/respell-options';
import type { CaptureType } from '../../api/responses.ts';
import type { OptionSchema } from '../../api/service.ts';
import { kinds } from '../../captures/kinds.ts';
import { canShow, controlOf, type OptionValues } from '../../options/control.ts';

export interface FormState {
  type: CaptureType;
  values: OptionValues;
}

/** Options that no link contains, because links end up in histories. The contract's list would load all of zod. */
export const secretOptions: readonly string[] = ['cookies', 'headers', 'basic_auth'];

/** The longest link, characters: some software truncates or refuses longer URLs. */
const maxLinkLength = 8_000;

/** Writes the form as a URL fragment, which is never sent to a server; null if it is too long. */
export function toFragment({ type, values }: FormState): string | null {
  const shared = Object.entries(values).filter(([name, value]) => value !== undefined && !secretOptions.includes(name));
  const fragment = new URLSearchParams({ type, options: JSON.stringify(Object.fromEntries(shared)) });
  const text = `#${fragment}`;
  return text.length > maxLinkLength ? null : text;
}

/** Lists the options of the form that a link does not contain. */
export function excludedFromLink(values: OptionValues): string[] {
  return secretOptions.filter((name) => values[name] !== undefined);
}

/**
 * Reads the form of a link. The link is untrusted: unknown options and values that their controls cannot show are dropped, and
 * nothing is captured before the user submits the form.
 *
 * @param optionsOf the options of a kind.
 */
export function fromFragment(
  fragment: string,
  optionsOf: (type: CaptureType) => Record<string, OptionSchema>,
): FormState {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const type = kinds.find((kind) => kind.type === params.get('type'))?.type ?? 'screenshot';
  const options = optionsOf(type);
  const isFlag = (name: string) => options[name]?.type === 'boolean';
  return { type, values: fittingValues(respellOptions(parse(params.get('options')), isFlag), options) };
}

/** Keeps the options that the current form can show, without secrets. Links and stored presets may contain any options. */
export function fittingValues(values: OptionValues, options: Record<string, OptionSchema>): OptionValues {
  const fitting = Object.entries(values).filter(([name, value]) => {
    const schema = Object.hasOwn(options, name) ? options[name] : undefined;
    return schema !== undefined && !secretOptions.includes(name) && canShow(controlOf(name, schema), value);
  });
  return Object.fromEntries(fitting);
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns the playground's fragment that repeats a capture. Submitted HTML is not kept; the record has a placeholder. */
export function formLinkOf({ type, options }: { type: CaptureType; options: Record<string, unknown> }): string {
  const { html: _html, ...values } = options;
  return toFragment({ type, values }) ?? '';
}
