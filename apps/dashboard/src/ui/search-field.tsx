import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { IconSearch } from './icons.tsx';

interface SearchFieldProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'flex' | 'w' | 'maw' | 'mb'> {
  value: string | null;
  onChange: (value: string) => void;
}

/** Searches while the user types. */
export function SearchField({ value, onChange, ...rest }: SearchFieldProps) {
  const [typed, setTyped] = useState(value ?? '');
  const apply = useDebouncedCallback((text: string) => onChange(text.trim()), 300);
  // The search was cleared elsewhere.
  useEffect(() => {
    if (value === null) setTyped('');
  }, [value]);
  const enter = (text: string) => {
    setTyped(text);
    apply(text);
  };
  return (
    <TextInput
      {...rest}
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => enter('')} />}
      value={typed}
      onChange={(event) => enter(event.currentTarget.value)}
    />
  );
}
