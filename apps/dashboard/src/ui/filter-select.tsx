import { Select, type SelectProps } from '@mantine/core';

/** A filter of which nothing chosen is all. */
export function FilterSelect(props: Pick<SelectProps, 'label' | 'w' | 'data' | 'value' | 'onChange'>) {
  return <Select placeholder="All" clearable {...props} />;
}
