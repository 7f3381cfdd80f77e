import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import type { CaptureType } from '../../api/responses.ts';
import type { OptionSchema } from '../../api/service.ts';
import type { OptionValues } from '../../options/control.ts';
import { type FormState, fromFragment, toFragment } from './form-link.ts';

/** Keeps the state of the form, also in the URL, so that the form survives a reload and a sign-in. */
export function useFormState(optionsOf: (type: CaptureType) => Record<string, OptionSchema>) {
  const [form, setForm] = useState<FormState>(() => fromFragment(window.location.hash, optionsOf));
  const writeUrl = useDebouncedCallback((current: FormState) => {
    const { pathname, search } = window.location;
    if (!pathname.endsWith('/playground')) return;
    window.history.replaceState(window.history.state, '', pathname + search + (toFragment(current) ?? ''));
  }, 250);
  const change = useCallback(
    (step: (previous: FormState) => FormState) =>
      setForm((previous) => {
        const next = step(previous);
        writeUrl(next);
        return next;
      }),
    [writeUrl],
  );
  const setValue = useCallback(
    (name: string, value: unknown) =>
      change((previous) => ({ ...previous, values: { ...previous.values, [name]: value } })),
    [change],
  );
  const setType = useCallback(
    (type: CaptureType) =>
      change(({ values }) => ({ type, values: type === 'og_image' ? { template: 'card', ...set(values) } : values })),
    [change],
  );
  const replace = useCallback((next: FormState) => change(() => next), [change]);
  // The user opened a link to the playground while the form was shown.
  useWindowEvent('hashchange', () => setForm(fromFragment(window.location.hash, optionsOf)));
  // Options of other kinds are kept for a switch back, but do not belong to this request.
  const options = optionsOf(form.type);
  const values = Object.fromEntries(
    Object.entries(form.values).filter(([name, value]) => value !== undefined && Object.hasOwn(options, name)),
  );
  return { form: { type: form.type, values }, replace, setValue, setType };
}

const set = (values: OptionValues) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
