import { Code } from '@mantine/core';
import type { OptionSchema } from '../api/service.ts';
import type { Faults } from './faults.ts';
import classes from './option-field.module.css';

export interface ControlProps {
  name: string;
  schema: OptionSchema;
  value: unknown;
  error?: string | undefined;
  /** The faults of the option's entries, for a control that shows them one by one. */
  faults?: Faults | undefined;
  onChange: (value: unknown) => void;
}

/** Returns the label, description and error that every control shows. */
export function fieldProps({ name, schema, error }: Pick<ControlProps, 'name' | 'schema' | 'error'>) {
  const unit = schema['x-unit'];
  return {
    label: (
      <>
        <span className={classes.name}>{name}</span>
        {unit && <span className={classes.unit}> · {unit}</span>}
      </>
    ),
    description: <Description text={schema.description} />,
    error,
  };
}

/** Returns the default as a placeholder, or else an example. */
export function placeholderOf({ default: fallback, examples = [] }: OptionSchema): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (fallback !== undefined && !(Array.isArray(fallback) && fallback.length === 0)) {
    return `${text(fallback)} (default)`;
  }
  return examples.length > 0 ? `e.g. ${text(examples[0])}` : '';
}

/** Shows an option's description with text between backticks as code. The label has the unit. */
function Description({ text = '' }: { text?: string | undefined }) {
  const parts = text.replace(/\s*Unit: [^.]*\.$/, '').split('`');
  return parts.map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <Code key={key}>{part}</Code> : <span key={key}>{part}</span>;
  });
}
