/** What is wrong with options, by name; with an entry of one, by its path, such as `outputs.2.width`. */
export type Faults = Readonly<Record<string, string>>;

/** What is wrong with an option: itself, or the first of its entries, which is then named. */
export function faultOf(faults: Faults, name: string): string | undefined {
  const [entry] = Object.entries(faultsWithin(faults, name));
  return faults[name] ?? (entry && `${entry[0].replaceAll('.', ' ')} ${entry[1]}`);
}

/** What is wrong with the entries of an option, by their path in it. */
export function faultsWithin(faults: Faults, name: string): Faults {
  const prefix = `${name}.`;
  const within = Object.entries(faults).filter(([field]) => field.startsWith(prefix));
  return Object.fromEntries(within.map(([field, message]) => [field.slice(prefix.length), message]));
}
