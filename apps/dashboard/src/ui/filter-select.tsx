import { Select, type SelectProps } from '@mantine/core';

interface FilterSelectProps extends Pick<SelectProps, 'label' | 'data' | 'value' | 'onChange'> {
  /** Width in pixels; on a phone two filters fill a row. */
  w: number;
}

/** A filter without a selection selects all rows. */
export function FilterSelect({ w, ...props }: FilterSelectProps) {
  return (
    <Select
      placeholder="All"
      clearable
      flex={{ base: w > 200 ? '1 1 240px' : '1 1 130px', xs: 'none' }}
      w={{ base: 'auto', xs: w }}
      {...props}
    />
  );
}
