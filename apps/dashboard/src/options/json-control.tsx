import { JsonInput } from '@mantine/core';
import { useState } from 'react';
import { type ControlProps, fieldProps } from './field-props.tsx';

/** An option that is written as JSON. What is no JSON yet is given on as the text that it is: the service refuses it. */
export function JsonControl(props: ControlProps) {
  const { schema, value, error, onChange } = props;
  const [text, setText] = useState(() => textOf(value));
  const [isJson, setIsJson] = useState(true);
  const [known, setKnown] = useState(value);
  // Put back to its default, or restored from a link, it was changed elsewhere.
  if (value !== known) {
    setKnown(value);
    setText(textOf(value));
    setIsJson(true);
  }
  const take = (entered: string) => {
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
      error={isJson ? error : 'This is not JSON yet.'}
      placeholder={JSON.stringify(schema.examples?.[0], null, 1)}
      autosize
      minRows={4}
      maxRows={14}
      spellCheck={false}
      value={text}
      onChange={take}
    />
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Null for what is no JSON; nothing at all is no value. */
function parse(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
