import { useSearchParams } from 'react-router';

/** What a list is filtered by. It stands in the address, so that it outlives a reload and can be passed on. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const filter = Object.fromEntries(names.map((name) => [name, search.get(name)])) as Record<Name, string | null>;
  return {
    filter,
    isFiltered: names.some((name) => filter[name] !== null),
    /** Sets one, or takes it back: null and no text are none. */
    change: (name: Name, value: string | null) =>
      setSearch(
        (former) => {
          if (value) former.set(name, value);
          else former.delete(name);
          return former;
        },
        { replace: true },
      ),
    clear: () => setSearch({}, { replace: true }),
  };
}
