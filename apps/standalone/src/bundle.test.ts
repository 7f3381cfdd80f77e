import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';

describe.each(['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'])('the bundle of %s', (app) => {
  const read = (file: string) => readFileSync(path.join(repositoryRoot, 'apps', app, 'dist', 'service', file), 'utf8');

  it('names the lines of our source in stack traces', () => {
    const { sources } = JSON.parse(read('main.js.map')) as { sources: string[] };
    expect(sources).toEqual(expect.arrayContaining([expect.stringMatching(/packages\/runtime\/src\/.*\.ts$/)]));
    expect(sources).toContain('../../src/main.ts');
  });

  it("leaves frames of other people's code as they are", () => {
    const lines = read('main.js').split('\n');
    const line = lines.findIndex((each) => each.includes('function asJson('));
    const found = new SourceMap(JSON.parse(read('main.js.map'))).findEntry(line, 10);
    expect(found).not.toHaveProperty('originalSource', expect.any(String));
  });

  it('requires no file that is not part of it', () => {
    expect(read('main.js')).not.toMatch(/\brequire\("\.\.?\//);
  });
});
