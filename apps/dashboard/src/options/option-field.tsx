import { Button } from '@mantine/core';
import { memo } from 'react';
import type { OptionSchema } from '../api/service.ts';
import { OptionControl } from './option-control.tsx';
import classes from './option-field.module.css';

interface OptionFieldProps {
  name: string;
  schema: OptionSchema;
  /** Undefined where nobody has set it. */
  value: unknown;
  /** What the service says against it. */
  error?: string | undefined;
  onChange: (name: string, value: unknown) => void;
}

/** One option with its control; once set it is marked, and can be put back to its default. */
export const OptionField = memo(function OptionField({ name, schema, value, error, onChange }: OptionFieldProps) {
  const isSet = value !== undefined;
  return (
    <div className={`${classes.field} ${isSet ? classes.set : ''}`} data-option={name}>
      <OptionControl
        name={name}
        schema={schema}
        value={value}
        error={error}
        onChange={(changed) => onChange(name, changed)}
      />
      {isSet && (
        <Button
          className={classes.reset ?? ''}
          size="compact-xs"
          variant="subtle"
          aria-label={`Reset ${name}`}
          onClick={() => onChange(name, undefined)}
        >
          Reset
        </Button>
      )}
    </div>
  );
});
