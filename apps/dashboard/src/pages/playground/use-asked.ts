import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import type { CaptureType } from '../../api/responses.ts';
import type { OptionSchema } from '../../api/service.ts';
import { type Asked, fromFragment, toFragment } from './form-link.ts';

/** The form's state. It stands in the address as well, so that loading the page again, or signing in, keeps it. */
export function useAsked(optionsOf: (type: CaptureType) => Record<string, OptionSchema>) {
  const [asked, setAsked] = useState<Asked>(() => fromFragment(window.location.hash, optionsOf));
  const writeAddress = useDebouncedCallback((current: Asked) => {
    const { pathname, search } = window.location;
    if (!pathname.endsWith('/playground')) return;
    window.history.replaceState(window.history.state, '', pathname + search + (toFragment(current) ?? ''));
  }, 250);
  const change = useCallback(
    (step: (former: Asked) => Asked) =>
      setAsked((former) => {
        const next = step(former);
        writeAddress(next);
        return next;
      }),
    [writeAddress],
  );
  const setValue = useCallback(
    (name: string, value: unknown) => change((former) => ({ ...former, values: { ...former.values, [name]: value } })),
    [change],
  );
  const setType = useCallback((type: CaptureType) => change((former) => ({ ...former, type })), [change]);
  // What another kind does not have is kept for when it is chosen again, and is not part of this one.
  const options = optionsOf(asked.type);
  const values = Object.fromEntries(
    Object.entries(asked.values).filter(([name, value]) => value !== undefined && Object.hasOwn(options, name)),
  );
  return { asked: { type: asked.type, values }, setValue, setType };
}
