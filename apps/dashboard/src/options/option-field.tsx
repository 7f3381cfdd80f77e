import { Button } from '@mantine/core';
import { memo } from 'react';
import type { OptionSchema } from '../api/service.ts';
import { OptionControl } from './option-control.tsx';
import classes from './option-field.module.css';

interface OptionFieldProps {
  name: string;
  schema: OptionSchema;
  /** Undefined if it is not set. */
  value: unknown;
  /** The service's error about it. */
  error?: string | undefined;
  onChange: (name: string, value: unknown) => void;
}

/** One option with its control. A set option is marked and can be reset to its default. */
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
