import { Select, type SelectProps } from '@mantine/core';

/** A filter; no selection means all. */
export function FilterSelect(props: Pick<SelectProps, 'label' | 'w' | 'data' | 'value' | 'onChange'>) {
  return <Select placeholder="All" clearable {...props} />;
}
