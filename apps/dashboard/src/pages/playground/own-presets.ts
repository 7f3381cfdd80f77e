import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { StoredPreset } from '../../api/responses.ts';
import { useKindOptions } from '../../captures/kinds.ts';
import type { OptionValues } from '../../options/control.ts';
import type { FormState } from './form-link.ts';
import { isApplied, type Preset } from './presets.ts';

/** The most presets that an account may have: one page of the list. */
const presetsAtMost = 100;

/** Options that a preset does not keep: the captured page, another preset, and a URL that often contains a token. */
const notKept: ReadonlySet<string> = new Set(['url', 'html', 'preset', 'webhook_url']);

/**
 * Returns the account's presets that fit the form's kind of capture, and a function that stores its options as another preset.
 */
export function useOwnPresets({ type, values }: FormState) {
  const client = useQueryClient();
  const { optionsOf } = useKindOptions();
  const { data } = useQuery({
    queryKey: ['presets', 'all'],
    queryFn: ({ signal }) =>
      request<{ presets: StoredPreset[] }>('GET', '/api/v1/presets', { query: { limit: presetsAtMost }, signal }),
  });
  const known = optionsOf(type) ?? {};
  const stored = (data?.presets ?? []).filter(({ options }) =>
    Object.keys(options).every((name) => Object.hasOwn(known, name)),
  );
  const options = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && !notKept.has(name)),
  );
  const save = useMutation({
    mutationFn: (name: string) => request('PUT', `/api/v1/presets/${encodeURIComponent(name)}`, { body: { options } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['presets'] }),
  });
  return {
    /** Each preset puts its name into the request, which then also uses the secrets that only the service knows. */
    presets: stored.map(({ name }): Preset => ({ label: name, options: { preset: name } })),
    /** Whether the form has options that no preset has yet. */
    hasNew: Object.keys(options).length > 0 && !stored.some((preset) => isEqual(preset.options, options)),
    save,
  };
}

const isEqual = (some: OptionValues, others: OptionValues) =>
  Object.keys(some).length === Object.keys(others).length && isApplied({ label: '', options: some }, others);
