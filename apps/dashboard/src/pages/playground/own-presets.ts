import { useLocalStorage } from '@mantine/hooks';
import { useAccount } from '../../app/session-context.ts';
import { useKindOptions } from '../../captures/kinds.ts';
import type { OptionValues } from '../../options/control.ts';
import { type FormState, fittingValues } from './form-link.ts';
import { isApplied, type Preset } from './presets.ts';

/** Presets of one kind of capture at most: more would need a search. */
export const presetsAtMost = 20;

type OwnPreset = Preset & { type: FormState['type'] };

/** What a preset does not keep, beside secrets: what is captured, and a URL that often contains a token. */
const notKept: ReadonlySet<string> = new Set(['url', 'html', 'webhook_url']);

/** The user's own sets of options. They are kept in this browser, for one account. */
export function useOwnPresets(form: FormState) {
  const { id } = useAccount();
  const [stored, setStored] = useLocalStorage<OwnPreset[]>({
    key: `presets-${id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: read,
  });
  const { optionsOf } = useKindOptions();
  const known = Object.entries(optionsOf(form.type) ?? {}).filter(([name]) => !notKept.has(name));
  const kept = (values: OptionValues) => fittingValues(values, Object.fromEntries(known));
  const presets = stored
    .filter(({ type }) => type === form.type)
    .map((preset) => ({ ...preset, options: kept(preset.options) }))
    .filter((preset) => Object.keys(preset.options).length > 0);
  const options = kept(form.values);
  return {
    presets,
    /** Whether the form has something to keep that no preset has yet. */
    hasNew:
      Object.keys(options).length > 0 &&
      !presets.some(
        (each) => isApplied(each, options) && Object.keys(each.options).length === Object.keys(options).length,
      ),
    isFull: presets.length >= presetsAtMost,
    /** Replaces a preset of the same name. */
    save: (label: string) =>
      setStored((all) => [
        ...all.filter((each) => each.type !== form.type || each.label !== label),
        { type: form.type, label, options },
      ]),
    remove: (label: string) =>
      setStored((all) => all.filter((each) => each.type !== form.type || each.label !== label)),
  };
}

/** Anything else that is stored under the name, such as the presets of another version, is no preset. */
function read(text: string | undefined): OwnPreset[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isPreset) : [];
  } catch {
    return [];
  }
}

function isPreset(given: unknown): given is OwnPreset {
  const { type, label, options } = (given ?? {}) as Partial<Record<string, unknown>>;
  return typeof type === 'string' && typeof label === 'string' && typeof options === 'object' && options !== null;
}
