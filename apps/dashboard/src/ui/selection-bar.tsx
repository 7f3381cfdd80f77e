import { Checkbox, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countText } from './figures.ts';

export interface Selection {
  selected: ReadonlySet<string>;
  set: (ids: readonly string[]) => void;
  toggle: (id: string) => void;
}

export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return {
    selected,
    set: (ids) => setSelected(new Set(ids)),
    toggle: (id) =>
      setSelected((previous) => {
        const next = new Set(previous);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
  };
}

interface SelectionBarProps {
  selection: Selection;
  /** The ids of all loaded rows. */
  ids: readonly string[];
  /** The plural name of the rows. */
  what: string;
  children: ReactNode;
}

/** Selects all loaded rows, shows how many are selected, and offers actions for them. */
export function SelectionBar({ selection, ids, what, children }: SelectionBarProps) {
  const count = ids.filter((id) => selection.selected.has(id)).length;
  const all = count > 0 && count === ids.length;
  return (
    <Group mb="sm" mih={36} justify="space-between" gap="sm">
      <Checkbox
        size="xs"
        label={<span role="status">{count === 0 ? `Select all ${what}` : `${countText(count)} selected`}</span>}
        aria-label={`Select all ${what}`}
        checked={all}
        indeterminate={count > 0 && !all}
        onChange={() => selection.set(all ? [] : ids)}
      />
      {/* Without a selection the bar has no action; its space stays, so that rows do not jump. */}
      {count > 0 && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
