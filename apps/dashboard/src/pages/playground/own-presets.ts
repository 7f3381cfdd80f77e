import { useLocalStorage } from '@mantine/hooks';
import { useAccount } from '../../app/session-context.ts';
import { excludedFromLink, type FormState } from './form-link.ts';
import { isApplied, type Preset } from './presets.ts';

/** Presets of one kind of capture at most: more would need a search. */
const atMost = 20;

type OwnPreset = Preset & { type: FormState['type'] };

/** What a preset does not keep: what is captured, and secrets, which no browser should store. */
function optionsToKeep({ values }: FormState): Preset['options'] {
  const left = new Set(['url', 'html', ...excludedFromLink(values)]);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !left.has(name)));
}

/** The user's own sets of options. They are kept in this browser, for one account. */
export function useOwnPresets(form: FormState) {
  const { id } = useAccount();
  const [stored, setStored] = useLocalStorage<OwnPreset[]>({
    key: `presets-${id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: read,
  });
  const presets = stored.filter(({ type }) => type === form.type);
  const options = optionsToKeep(form);
  return {
    presets,
    /** Whether the form has something to keep that no preset has yet. */
    canSave:
      Object.keys(options).length > 0 &&
      presets.length < atMost &&
      !presets.some(
        (each) => isApplied(each, options) && Object.keys(each.options).length === Object.keys(options).length,
      ),
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
