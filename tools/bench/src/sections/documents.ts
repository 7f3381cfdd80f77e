import { machineMs } from '@capture/testing/processes/process-usage';
import { median, rotate } from '@capture/testing/statistics';
import { workThrough } from '../peers/contender.ts';
import type { Findings, Section } from '../section.ts';

/** Documents at a time: as many as our worker takes by default on two cores. */
const concurrency = 4;

const kinds = { png: 'screenshot', pdf: 'pdf' } as const;

interface Way {
  name: string;
  take(html: string, as: keyof typeof kinds): Promise<{ bytes: Uint8Array }>;
  rates: Record<keyof typeof kinds, number[]>;
  processor: Record<keyof typeof kinds, number[]>;
}

export const documents: Section = {
  name: 'documents',
  measures: 'invoices given as `html` to PNG and PDF, by one account, against a script that calls `setContent`',
  figures: ['warmImages', 'warmPdfs'],
  async run(bench) {
    const { service } = await bench.platform();
    const count = bench.amount(80, 16);
    const naive = await bench.peer('naive');
    const key = await service.nextKey();
    const way = (name: string, take: Way['take']): Way => ({
      name,
      take,
      rates: { png: [], pdf: [] },
      processor: { png: [], pdf: [] },
    });
    const us = way(service.name, (html, as) => service.takeDocument(kinds[as], html, key));
    const ways = [us];
    if (typeof naive !== 'string') {
      ways.push(way('naive `setContent`', (html, as) => naive.take({ url: 'about:blank', html, as })));
    }
    const rounds = bench.times(3, 1);
    for (const as of ['png', 'pdf'] as const) {
      for (let round = 0; round <= rounds; round += 1) {
        for (const each of rotate(ways, round)) {
          bench.checkpoint();
          const others = [process.pid, bench.corpus.pid];
          const before = machineMs(others);
          const startedAt = performance.now();
          const numbers = Array.from({ length: count }, (_, index) => round * count + index);
          await workThrough(numbers, concurrency, async (number) => {
            const { bytes } = await each.take(invoice(number), as);
            if (bytes.length < 1_000) throw new Error(`${each.name} gave an empty document`);
          });
          const rate = count / ((performance.now() - startedAt) / 1_000);
          bench.progress(`documents to ${as}: ${each.name}: ${rate.toFixed(1)}/s`);
          // The first round warms up.
          if (round === 0) continue;
          each.rates[as].push(rate);
          each.processor[as].push((machineMs(others) - before) / count);
        }
      }
    }
    const theirs = ways[1];
    const against = (as: keyof typeof kinds) =>
      theirs ? median(us.rates[as]) / median(theirs.rates[as]) : `naive Puppeteer: ${naive}`;
    const figures: Findings['figures'] = { warmImages: against('png'), warmPdfs: against('pdf') };
    const cells = ({ name, rates, processor }: Way) => [
      name,
      ...(['png', 'pdf'] as const).flatMap((as) => [median(rates[as]).toFixed(1), Math.round(median(processor[as]))]),
    ];
    const title = `Documents per second at ${concurrency}: median of ${rounds} rounds of ${count}`;
    const head = ['', 'PNG', 'processor, ms each', 'PDF', 'processor, ms each'];
    return { figures, tables: [{ title, head, rows: ways.map(cells) }] };
  },
};

/** An invoice of one page, as shops send them. */
function invoice(number: number): string {
  const rows = Array.from({ length: 25 }, (_, index) => {
    const amount = ((number % 97) + index * 13.5).toFixed(2);
    return `<tr><td>${index + 1}</td><td>Article ${number}-${index}, delivered</td><td>${amount} EUR</td></tr>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Invoice ${number}</title><style>
    body { font: 13px Arial, sans-serif; margin: 40px } table { width: 100%; border-collapse: collapse }
    td, th { border-bottom: 1px solid #ccc; padding: 6px; text-align: left } td:last-child { text-align: right }
    </style><h1>Invoice ${number}</h1><table><tr><th>No.</th><th>Article</th><th>Amount</th></tr>${rows.join('')}</table>
    <p>Please pay within 14 days.</p></html>`;
}
