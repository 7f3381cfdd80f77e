import { describe, expect, it } from '@jest/globals';
import { snippetsOf } from './snippets.ts';

const codeOf = (values: Record<string, unknown>) =>
  Object.fromEntries(
    snippetsOf({ type: 'screenshot', values }, 'https://captures.example.com').map(({ language, code }) => [
      language,
      code,
    ]),
  );

describe('the request as code', () => {
  it('saves the file of a capture', () => {
    const { curl, Node: node, Python: python } = codeOf({ url: 'https://example.com/', format: 'webp' });
    expect(curl).toContain('-o capture.webp');
    expect(node).toContain("await writeFile('capture.webp'");
    expect(python).toContain('with open("capture.webp", "wb")');
  });

  it('asks for the record of a capture with outputs, and saves every file', () => {
    const { curl, Node: node, Python: python } = codeOf({ url: 'https://example.com/', outputs: [{ kind: 'pdf' }] });
    expect(curl).toMatch(/"response_type": "json"[\s\S]*-o capture\.json/);
    expect(node).toContain('for (const { name, format, file_url } of outputs)');
    expect(python).toContain('for output in response.json()["outputs"]:');
  });
});
