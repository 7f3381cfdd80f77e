import { JsonInput } from '@mantine/core';
import { useState } from 'react';
import { type ControlProps, fieldProps } from './field-props.tsx';

/** Edits an option as JSON. The service refuses invalid JSON, which is passed on as text. */
export function JsonControl(props: ControlProps) {
  const { schema, value, error, onChange } = props;
  const [text, setText] = useState(() => textOf(value));
  const [isJson, setIsJson] = useState(true);
  const [known, setKnown] = useState(value);
  // The value was changed elsewhere: reset, or restored from a link.
  if (value !== known) {
    setKnown(value);
    setText(textOf(value));
    setIsJson(true);
  }
  const update = (entered: string) => {
    setText(entered);
    const parsed = parse(entered);
    setIsJson(parsed !== null);
    const changed = parsed === null ? entered : parsed.value;
    setKnown(changed);
    onChange(changed);
  };
  return (
    <JsonInput
      {...fieldProps(props)}
      error={isJson ? error : 'This is not valid JSON.'}
      placeholder={JSON.stringify(schema.examples?.[0], null, 1)}
      autosize
      minRows={4}
      maxRows={14}
      spellCheck={false}
      value={text}
      onChange={update}
    />
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Returns null for invalid JSON, and no value for empty text. */
function parse(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
