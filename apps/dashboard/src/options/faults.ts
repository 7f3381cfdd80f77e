/** Faults of options, by name; the fault of an entry by its path, such as `outputs.2.width`. */
export type Faults = Readonly<Record<string, string>>;

/** Returns the fault of an option: its own, or the first fault of an entry, which is then named. */
export function faultOf(faults: Faults, name: string): string | undefined {
  const [entry] = Object.entries(faultsWithin(faults, name));
  return faults[name] ?? (entry && `${entry[0].replaceAll('.', ' ')} ${entry[1]}`);
}

/** Returns the faults of an option's entries, by their path in the option. */
export function faultsWithin(faults: Faults, name: string): Faults {
  const prefix = `${name}.`;
  const within = Object.entries(faults).filter(([field]) => field.startsWith(prefix));
  return Object.fromEntries(within.map(([field, message]) => [field.slice(prefix.length), message]));
}
