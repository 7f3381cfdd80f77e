/** An address of a list, and the line that it stands in. */
export interface ListedUrl {
  line: number;
  url: string;
}

export interface ListFault {
  line: number;
  text: string;
  message: string;
}

export interface ReadList {
  urls: ListedUrl[];
  faults: ListFault[];
  /** How many were there before. */
  repeated: number;
}

/**
 * Reads a list of addresses: one a line, or a table (comma, semicolon or tab between its cells) in which the first cell
 * that looks like an address counts. A first line of words alone is the table's heading.
 */
export function readList(text: string): ReadList {
  const urls = new Map<string, ListedUrl>();
  const faults: ListFault[] = [];
  let repeated = 0;
  const lines = text.split(/\r\n|\r|\n/);
  const separator = separatorOf(lines[0] ?? '');
  for (const [index, line] of lines.entries()) {
    const cells = cellsOf(line, separator);
    if (cells.length === 0 || (index === 0 && separator !== null)) continue;
    const found = cells.find(looksLikeAddress);
    const url = found === undefined ? { fault: 'holds no address' } : addressOf(found);
    if (typeof url !== 'string') faults.push({ line: index + 1, text: found ?? line.trim(), message: url.fault });
    else if (urls.has(url)) repeated += 1;
    else urls.set(url, { line: index + 1, url });
  }
  return { urls: [...urls.values()], faults, repeated };
}

/** What stands between the cells of a table that this line is the heading of; null if it is none. */
function separatorOf(line: string): string | null {
  if (!/^["\w #-]+([,;\t]["\w #-]+)*$/.test(line)) return null;
  return /[,;\t]/.exec(line)?.[0] ?? ',';
}

/** The cells of a line, without quotes and blanks around them; empty ones are none. */
function cellsOf(line: string, separator: string | null): string[] {
  // Where no heading says otherwise, a line that is one address is one cell: it may have commas and semicolons in it.
  if (separator === null && /^\s*https?:\/\/\S+\s*$/i.test(line) && !/[,;\t]"?https?:/i.test(line))
    return [line.trim()];
  const between = separator ?? ',;\t';
  const cells = line.match(new RegExp(`"(?:[^"]|"")*"|[^${between}]+`, 'g')) ?? [];
  return cells
    .map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('""', '"')
        .trim(),
    )
    .filter((cell) => cell !== '');
}

function looksLikeAddress(cell: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(cell) || /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/.test(cell);
}

/** The address in its usual spelling; one without a scheme is reached by https. */
function addressOf(cell: string): string | { fault: string } {
  const text = cell.includes('://') ? cell : `https://${cell}`;
  if (!URL.canParse(text)) return { fault: 'is not an address' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { fault: 'is neither http nor https' };
  if (url.username || url.password) return { fault: 'must not hold a user name or password' };
  return url.href;
}
