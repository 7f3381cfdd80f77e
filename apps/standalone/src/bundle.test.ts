import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';

describe.each(['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'])('the bundle of %s', (app) => {
  const folder = path.join(repositoryRoot, 'apps', app, 'dist', 'service');
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

  it('names the lines of our source in stack traces', () => {
    expect(read('main.cjs')).toMatch(/^\/\/# sourceMappingURL=main\.cjs\.map$/m);
    const map = JSON.parse(read('main.cjs.map')) as { sources: string[] };
    expect(map.sources).toEqual(expect.arrayContaining([expect.stringMatching(/packages\/runtime\/src\/.*\.ts$/)]));
    expect(map.sources).not.toContainEqual(expect.stringContaining('node_modules'));
    const lines = read('main.cjs').split('\n');
    const line = lines.findIndex((each) => each.includes('did not stop in time'));
    const found = new SourceMap(map as SourceMapPayload).findEntry(line, lines[line]?.indexOf('log.error') ?? 0);
    if (!('originalSource' in found)) throw new Error('the line has no place in the source');
    const source = readFileSync(path.resolve(folder, found.originalSource), 'utf8').split('\n')[found.originalLine];
    expect(source).toContain('did not stop in time');
  });

  it("leaves frames of other people's code as they are", () => {
    const packages = readdirSync(folder).filter((name) => name.startsWith('packages'));
    expect(packages.some((name) => read(name).includes('function asJson('))).toBe(true);
    expect(
      packages.filter((name) => name.endsWith('.map') || read(name).includes('# sourceMappingURL=packages')),
    ).toEqual([]);
  });

  it('requires no file that is not part of it', () => {
    const required = readdirSync(folder)
      .filter((name) => name.endsWith('.cjs'))
      .flatMap((name) => [...read(name).matchAll(/\brequire\("(\.[^"]*)"\)/g)].map(([, file = '']) => file));
    expect(required).toContain('./rolldown-runtime.cjs');
    expect(required.filter((file) => !existsSync(path.join(folder, file)))).toEqual([]);
  });
});
