/**
 * Writes the options of a service as Markdown: a table of options with a counterpart, then lists of the others, grouped by
 * reason.
 *
 * @param {import('../../contract/src/translations/table.ts').Table} table
 */
export function optionTable(table) {
  const lines = ['| their option | our option | notes |', '|---|---|---|'];
  const reasons = { obeyed: new Map(), ignored: new Map(), refused: new Map() };
  for (const [name, row] of Object.entries(table)) {
    if ('why' in row) {
      const of = reasons[row.byEndpoint ? 'obeyed' : row.harmless ? 'ignored' : 'refused'];
      of.set(row.why, [...(of.get(row.why) ?? []), code(name)]);
    } else {
      const ours = row.ours.split(', ').map(code).join(', ');
      const only = row.only && `${row.only === 'pdf' ? 'PDF' : row.only} only`;
      lines.push(`| ${code(name)} | ${ours} | ${[only, row.how].filter(Boolean).join(': ')} |`);
    }
  }
  const list = (title, why) => {
    if (why.size > 0)
      lines.push('', title, '', ...[...why].map(([reason, names]) => `- ${names.join(', ')} → ${reason}`));
  };
  list('Obeyed by the compatible endpoint; with the SDK:', reasons.obeyed);
  list('Ignored by the compatible endpoint, which names them in `X-Capture-Ignored`:', reasons.ignored);
  list('Refused by the compatible endpoint, because they have no counterpart:', reasons.refused);
  return lines.map((line) => line.replaceAll('  ', ' ')).join('\n');
}

/** Returns a document with the table of each service between its markers. */
export function withTables(document, services) {
  return services.reduce((text, { name, table }) => {
    const [begin, end] = [`<!-- options of ${name} -->`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`the document has no markers for the options of ${name}`);
    return `${text.slice(0, from + begin.length)}\n\n${optionTable(table)}\n\n${text.slice(to)}`;
  }, document);
}

const code = (text) => `\`${text}\``;
