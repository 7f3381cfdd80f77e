import { Button } from '@mantine/core';
import { memo } from 'react';
import type { OptionSchema } from '../api/service.ts';
import { controlOf } from './control.ts';
import type { Faults } from './faults.ts';
import { OptionControl } from './option-control.tsx';
import classes from './option-field.module.css';
import { OutputsControl } from './outputs-control.tsx';

interface OptionFieldProps {
  name: string;
  schema: OptionSchema;
  /** Undefined if the option is not set. */
  value: unknown;
  /** The service's error about the option. */
  error?: string | undefined;
  /** The service's errors about the option's entries, for the control of outputs. */
  faults?: Faults | undefined;
  onChange: (name: string, value: unknown) => void;
}

/** Shows an option with its control. A set option is marked and can be reset to its default. */
export const OptionField = memo(function OptionField({
  name,
  schema,
  value,
  error,
  faults,
  onChange,
}: OptionFieldProps) {
  const isSet = value !== undefined;
  // The control of outputs contains the controls of their options.
  const Control = controlOf(name, schema) === 'outputs' ? OutputsControl : OptionControl;
  return (
    <div className={`${classes.field} ${isSet ? classes.set : ''}`} data-option={name}>
      <Control
        name={name}
        schema={schema}
        value={value}
        error={error}
        faults={faults}
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
