import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { findOwnPort } from '@capture/testing/network/own-port';
import { openTraceCollector, type TraceCollector } from '@capture/testing/network/trace-collector';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterEach, describe, expect, it } from '@jest/globals';
import { traceOf } from './trace-of.ts';

// Tracing is turned on for a whole process, so each test uses a new process.

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function openCollector(): Promise<TraceCollector> {
  const collector = await openTraceCollector();
  closings.push(() => collector.close());
  return collector;
}

const id = 'req_01jzk3v9q4m8w2n6x0r5t7y1bd';

/** Runs a service whose `start` is the given code, and stops the service once it has printed `done`. */
async function run(code: string, env: Record<string, string>) {
  const source = `
    import { createRequire } from 'node:module';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { runService } from '@capture/runtime/service/service';
    import { inSpan, startSpanOf, startTrace } from '@capture/runtime/tracing/trace';
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('sdk-trace')).length;
    runService({ name: 'traced', async start({ log, lifecycle }) {
      const step = () => inSpan('step', {}, async () => log.info('within'));
      const alive = setInterval(() => {}, 1_000);
      lifecycle.closing('alive', () => clearInterval(alive));
      ${code}
      console.log('done');
    } });`;
  const service = startProcess({ name: 'a traced service', args: ['--input-type=module', '--eval', source], env });
  await service.waitForOutput(/^done$/m);
  const exit = await service.stop();
  return { exit, output: service.output() };
}

const traced = `startTrace('${id}', 'first', {}).run(step);`;

describe('tracing', () => {
  it('is off without a destination for traces: its library is not even loaded', async () => {
    const collector = await openCollector();
    const code = `await ${traced} console.log('loaded: ' + loaded());`;
    const off = await run(code, {});
    expect(off.output).toContain('loaded: 0\n');
    expect(off.output).not.toContain('trace_id');
    for (const turnedOff of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
      const { output } = await run(code, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...turnedOff });
      expect(output).toContain('loaded: 0\n');
    }
    const on = await run(code, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(on.output).toMatch(/loaded: [1-9]/);
    expect(collector.requests).toBe(1);
  });

  it('goes into a configured file, which only the owner can read', async () => {
    const file = path.join(makeTestFolder('traces'), 'spans.jsonl');
    const code = `const first = startTrace('${id}', 'first', {}); await first.run(step); first.end();`;
    await run(code, { TRACES_FILE: file });
    await run(code, { TRACES_FILE: file });
    const lots = readFileSync(file, 'utf8').trimEnd().split('\n');
    const spans = lots.flatMap((lot) => JSON.parse(lot).resourceSpans[0].scopeSpans[0].spans);
    expect(spans.map(({ name, traceId }) => [name, traceId])).toEqual(
      ['step', 'first', 'step', 'first'].map((name) => [name, traceOf(id)?.traceId]),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('names the trace by the id, the process by its name, and both in the log', async () => {
    const collector = await openCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test' };
    const { output } = await run(
      `const first = startTrace('${id}', 'first', {}); await first.run(step); first.end();`,
      env,
    );
    const { traceId, spanId } = traceOf(id)!;
    const step = collector.spans.find(({ name }) => name === 'step');
    expect(collector.spans).toHaveLength(2);
    expect(step).toMatchObject({ traceId, parentSpanId: spanId, service: 'traced', failed: false });
    expect(output).toContain(`"trace_id":"${traceId}","span_id":"${step?.spanId}"`);
    expect(collector.received()).toContain('deployment.environment');
  });

  it('links the trace of a client, and uses nothing else that a client sends', async () => {
    const collector = await openCollector();
    const theirs = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    const valid = `00-${theirs.traceId}-${theirs.spanId}`;
    const said = [
      [`${valid}-00`, [theirs]],
      [`${valid}-01`, [theirs]],
      ['', []],
      ['0'.repeat(100_000), []],
      [`ff-${theirs.traceId}-${theirs.spanId}-01`, []],
      [`00-${'0'.repeat(32)}-${theirs.spanId}-01`, []],
      [`00-${theirs.traceId}-${'0'.repeat(16)}-01`, []],
      [`00-${theirs.traceId.toUpperCase()}-${theirs.spanId}-01`, []],
      [`${valid}-01\r\nx-injected: 1`, []],
    ] as const;
    await run(
      said.map(([text], n) => `startTrace('${id}', '${n}', {}, ${JSON.stringify(text)}).end();`).join('\n'),
      // A client must not decide whether a trace is kept.
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_always_on' },
    );
    const found = collector.spans.toSorted((a, b) => Number(a.name) - Number(b.name));
    expect(found.map(({ traceId, links }) => ({ traceId, links }))).toEqual(
      said.map(([, links]) => ({ traceId: traceOf(id)?.traceId, links })),
    );
    const off = await openCollector();
    await run(`startTrace('${id}', 'first', {}, '${valid}-01').end();`, {
      OTEL_EXPORTER_OTLP_ENDPOINT: off.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    });
    expect(off.requests).toBe(0);
  });

  it('keeps a share of the traces, the same traces in every process', async () => {
    const collector = await openCollector();
    // The sampler combines the 32-bit words of the id; this digit has the highest bits of the last word.
    const code = `
      for (const digit of '0123456789abcdefghjkmnpqrstvwxyz') {
        const id = 'req_01jzk3v9q4m8w2n6x0r' + digit + 't7y1bd';
        startTrace(id, 'first', {}).end();
        startSpanOf(id, 'elsewhere', {}).end();
      }`;
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
    };
    await run(code, env);
    const kept = (name: string) => collector.spans.filter((span) => span.name === name).map(({ traceId }) => traceId);
    expect(kept('elsewhere').sort()).toEqual(kept('first').sort());
    expect(kept('first').length).toBeGreaterThan(0);
    expect(kept('first').length).toBeLessThan(32);
  });

  it('logs once that the collector is unavailable, and once that it is back', async () => {
    const port = await findOwnPort();
    // The collector's response must not be logged.
    const code = `
      const { createServer } = await import('node:http');
      let status = 500;
      const requests = [];
      const server = createServer((request, response) => {
        requests.push(status);
        response.writeHead(status, 'secret-of-the-collector').end('secret-of-the-collector');
      });
      await new Promise((resolve) => server.listen(${port}, '127.0.0.1', resolve));
      lifecycle.closing('server', () => server.close());
      const send = async () => {
        const before = requests.length;
        await ${traced}
        while (requests.length === before) await sleep(5);
      };
      await send();
      await send();
      status = 200;
      await send();`;
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_EXPORTER_OTLP_TIMEOUT: '900',
    };
    const { output, exit } = await run(code, env);
    expect(exit.code).toBe(0);
    expect(output.match(/trace export failed/g)).toHaveLength(1);
    expect(output.match(/"lost_spans":2,.*trace export works again/g)).toHaveLength(1);
    expect(output).not.toContain('secret-of-the-collector');
  });

  it('refuses unknown settings, all of them in one message', async () => {
    const service = startProcess({
      name: 'a service with wrong settings',
      args: [
        '--input-type=module',
        '--eval',
        `import { runService } from '@capture/runtime/service/service'; runService({ name: 'traced', start: async () => {} });`,
      ],
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_TRACES_SAMPLER: 'some', OTEL_TRACES_SAMPLER_ARG: '2' },
    });
    expect((await service.exited).code).toBe(1);
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER:', 'OTEL_TRACES_SAMPLER_ARG']) {
      expect(service.output()).toContain(name);
    }
  });
});

describe('the trace of an id', () => {
  it('is its ULID, and null for an id that is not the platform’s', () => {
    expect(traceOf('req_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toEqual({ traceId: 'f'.repeat(32), spanId: 'f'.repeat(16) });
    expect(traceOf('batch_00000000000000000000000010')?.traceId).toBe(`${'0'.repeat(30)}20`);
    for (const id of ['', 'req_', 'req_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'req_01JZK3V9Q4M8W2N6X0R5T7Y1BD', 'req_1'])
      expect(traceOf(id)).toBeNull();
  });
});
