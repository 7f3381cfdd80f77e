import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** A filter by ID, applied on blur or Enter. */
export function IdFilter(props: { label: string; value: string | null; onChange: (value: string) => void }) {
  const { label, value, onChange } = props;
  const [typed, setTyped] = useState(value ?? '');
  const apply = () => {
    if (typed.trim() !== (value ?? '')) onChange(typed.trim());
  };
  return (
    <TextInput
      label={label}
      placeholder="All"
      w={260}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
