/**
 * The options of a service as Markdown: a table of those with a counterpart, then a list of the others, grouped by reason.
 *
 * @param {import('../src/migration/table.ts').Table} table
 */
export function optionTable(table) {
  const lines = ['| their option | our option | notes |', '|---|---|---|'];
  const reasons = new Map();
  for (const [name, row] of Object.entries(table)) {
    if ('why' in row) reasons.set(row.why, [...(reasons.get(row.why) ?? []), code(name)]);
    else {
      const ours = row.ours.split(', ').map(code).join(', ');
      const only = row.only && `${row.only === 'pdf' ? 'PDF' : row.only} only`;
      lines.push(`| ${code(name)} | ${ours} | ${[only, row.how].filter(Boolean).join(': ')} |`);
    }
  }
  lines.push('', 'Without a counterpart, and why:', '');
  for (const [why, names] of reasons) lines.push(`- ${names.join(', ')} → ${why}`);
  return lines.map((line) => line.replaceAll('  ', ' ')).join('\n');
}

/** A document with the table of each service between its markers. */
export function withTables(document, services) {
  return services.reduce((text, { name, table }) => {
    const [begin, end] = [`<!-- options of ${name} -->`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`the document has no markers for the options of ${name}`);
    return `${text.slice(0, from + begin.length)}\n\n${optionTable(table)}\n\n${text.slice(to)}`;
  }, document);
}

const code = (text) => `\`${text}\``;
