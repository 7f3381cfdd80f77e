import { useSearchParams } from 'react-router';

/** Keeps the filters of a list in the URL, so that they survive a reload and can be shared. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const filter = Object.fromEntries(names.map((name) => [name, search.get(name)])) as Record<Name, string | null>;
  return {
    filter,
    isFiltered: names.some((name) => filter[name] !== null),
    /** Sets or clears one filter; null and empty text clear it. */
    change: (name: Name, value: string | null) =>
      setSearch(
        (previous) => {
          if (value) previous.set(name, value);
          else previous.delete(name);
          return previous;
        },
        { replace: true },
      ),
    clear: () => setSearch({}, { replace: true }),
  };
}
