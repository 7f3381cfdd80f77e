import { expect, it } from '@jest/globals';
import { createLogger } from './log.ts';

function loggedBy(use: (log: ReturnType<typeof createLogger>) => void, level?: string) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  use(createLogger('some-service', { destination, ...(level !== undefined && { level }) }));
  return lines;
}

it('a line is one JSON object with time, level and name', () => {
  const lines = loggedBy((log) => log.info({ request_id: 'req_1' }, 'a\nmessage'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]+\n$/);
  const { time, ...rest } = JSON.parse(lines[0]!);
  expect(new Date(time).toISOString()).toBe(time);
  expect(rest).toEqual({
    level: 'info',
    name: 'some-service',
    pid: process.pid,
    request_id: 'req_1',
    msg: 'a\nmessage',
  });
});

it('a line below the level is not written', () => {
  const log = (level?: string) => loggedBy((to) => to.debug('x'), level).length;
  expect([log(), log('debug'), log('silent')]).toEqual([0, 1, 0]);
});

it('secrets are not logged, whatever object contains them', () => {
  const names = ['authorization', 'Authorization', 'cookie', 'cookies', 'apiKey', 'api_key', 'secret', 'password'];
  const more = ['basic_auth', 'headers', 'operatorKey', 'operator_key', 'secretKey', 'signingSecret'];
  for (const name of [...names, ...more]) {
    const [line] = loggedBy((log) =>
      log.warn({
        [name]: 'hidden',
        req: { [name]: { deep: 'hidden' } },
        a: { b: { [name]: ['hidden'], kept: 'seen' } },
      }),
    );
    expect(line).not.toContain('hidden');
    expect(line).toContain('"kept":"seen"');
    expect(line?.match(/"\*\*\*"/g)).toHaveLength(3);
  }
});

it('an error is logged with its message, its stack and its cause', () => {
  const error = new Error('outer', { cause: new Error('inner') });
  const [line] = loggedBy((log) => log.error({ err: error }, 'failed'));
  const { err } = JSON.parse(line!);
  expect(err.message).toContain('outer');
  expect(err.message).toContain('inner');
  expect(err.stack).toContain('log.test.ts');
});
