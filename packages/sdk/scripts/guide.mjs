import { keyPlaceOf } from '@capture/contract/translations/service';

/**
 * The options of a service as Markdown: a table of those with a counterpart, then lists of the others, grouped by
 * reason.
 *
 * @param {import('../../contract/src/translations/table.ts').Table} table
 */
function optionTable(table) {
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

/** A document whose marked regions, such as `<!-- sections -->…<!-- end of sections -->`, have what is written about the vendors. */
export function withVendors(document, vendors) {
  const regions = { services: names(vendors), endpoints: endpoints(vendors), sections: sections(vendors) };
  return Object.entries(regions).reduce((text, [name, region]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    return from === -1 ? text : `${text.slice(0, from + begin.length)}${region}${text.slice(to)}`;
  }, document);
}

const names = (vendors) => new Intl.ListFormat('en-GB').format(vendors.map(({ service }) => service.name));

/** Two tables: where each service is, and which of its paths are served. */
function endpoints(vendors) {
  const places = vendors.map(
    ({ id, service }) =>
      `| ${service.name} | \`${service.url}\` | \`https://<your host>/compat/${id}\` | ${keyPlaceOf(service)} |`,
  );
  const paths = vendors.map(({ service }) => {
    const served = service.paths.map((route) => code(route.replaceAll(/:(\w+)/g, '{$1}')));
    return `| ${service.name} | ${served.join(', ')} | ${service.notServed ?? ''} |`;
  });
  return [
    '\n\n| service | its URL | here | the API key goes |',
    '|---|---|---|---|',
    ...places,
    '\nThese paths are served:\n',
    '| service | paths | not served |',
    '|---|---|---|',
    ...paths,
    '\n',
  ].join('\n');
}

function sections(vendors) {
  const all = vendors.map(
    ({ service, guide }) =>
      `## ${service.name}\n\n${guide}\n\n### Options of ${service.name}\n\n${optionTable(service.table)}\n`,
  );
  return `\n\n${all.join('\n')}\n`;
}

const code = (text) => `\`${text}\``;
