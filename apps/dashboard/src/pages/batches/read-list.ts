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
  /** The number of duplicates. */
  repeated: number;
}

/**
 * Reads a list of URLs: one per line, or a table with commas, semicolons or tabs, in which the first cell that looks like a
 * URL counts. A first line without URLs is the heading.
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
    const found = cells.find(looksLikeUrl);
    const url = found === undefined ? { fault: 'contains no URL' } : urlOf(found);
    if (typeof url !== 'string') faults.push({ line: index + 1, text: found ?? line.trim(), message: url.fault });
    else if (urls.has(url)) repeated += 1;
    else urls.set(url, { line: index + 1, url });
  }
  return { urls: [...urls.values()], faults, repeated };
}

/** Returns the separator of the table with this heading; null if the line is not a heading. */
function separatorOf(line: string): string | null {
  if (!/^["\w #-]+([,;\t]["\w #-]+)*$/.test(line)) return null;
  return /[,;\t]/.exec(line)?.[0] ?? ',';
}

/** Returns the non-empty cells of a line, without quotes and surrounding spaces. */
function cellsOf(line: string, separator: string | null): string[] {
  // Without a heading, a line that is a single URL is one cell, because a URL may contain commas and semicolons.
  if (separator === null && /^\s*https?:\/\/\S+\s*$/i.test(line) && !/[,;\t]"?https?:/i.test(line))
    return [line.trim()];
  const separators = separator ?? ',;\t';
  const cells = line.match(new RegExp(`"(?:[^"]|"")*"|[^${separators}]+`, 'g')) ?? [];
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

function looksLikeUrl(cell: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(cell) || /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/.test(cell);
}

/** Returns the normalized URL; https if it has no scheme. */
function urlOf(cell: string): string | { fault: string } {
  const text = cell.includes('://') ? cell : `https://${cell}`;
  if (!URL.canParse(text)) return { fault: 'is not a URL' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { fault: 'is neither http nor https' };
  if (url.username || url.password) return { fault: 'must not contain a user name or password' };
  return url.href;
}
