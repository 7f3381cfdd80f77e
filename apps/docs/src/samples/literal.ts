/** The notation of data in a language. */
export interface Notation {
  string(text: string): string;
  /** Writes a key and the separator before its value. */
  key(name: string): string;
  object: readonly [string, string];
  array: readonly [string, string];
  /** The text after the last entry of a value on several lines. */
  trailing: ',' | '';
  indent: string;
  true: string;
  false: string;
  null: string;
  /** The padding between the braces of an object on one line. */
  padding: ' ' | '';
}

/** Entries that fit into this many characters are written on one line. */
const lineLength = 60;

/** Writes JSON data as a literal of a language. `margin` is the indentation of the line on which the literal begins. */
export function literal(value: unknown, notation: Notation, margin = ''): string {
  if (value === null) return notation.null;
  if (value === true) return notation.true;
  if (value === false) return notation.false;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return notation.string(value);
  const inner = margin + notation.indent;
  const isArray = Array.isArray(value);
  const entries = isArray
    ? value.map((entry) => literal(entry, notation, inner))
    : Object.entries(value as object).map(([name, entry]) => notation.key(name) + literal(entry, notation, inner));
  const [open, close] = isArray ? notation.array : notation.object;
  if (entries.length === 0) return open + close;
  const padding = isArray ? '' : notation.padding;
  const line = `${open}${padding}${entries.join(', ')}${padding}${close}`;
  if (line.length <= lineLength && !line.includes('\n')) return line;
  const lines = entries.map((entry) => inner + entry).join(',\n');
  return `${open}\n${lines}${notation.trailing}\n${margin}${close}`;
}

/** Quotes text in single quotes, with the escapes that JavaScript and PHP share. */
export const singleQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Quotes text in double quotes, as in JSON. */
export const doubleQuoted = (text: string): string => JSON.stringify(text);
