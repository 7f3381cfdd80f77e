import type { ListedUrl } from '../list/item.ts';
import type { OptionValues } from '../options/option-flags.ts';
import { UsageError } from '../usage-error.ts';
import { findField, listedUrl } from './listed-fields.ts';

/**
 * Reads one JSON object a line: `url`, and optionally `type`, `file` and API options.
 *
 * @throws {UsageError} that names the invalid line.
 */
export function readJsonLines(text: string): ListedUrl[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `line ${index + 1}`;
    const plain: { url?: string; type?: string; file?: string } = {};
    const options: OptionValues = {};
    for (const [name, value] of Object.entries(parseObject(line, where))) {
      const field = findField(name);
      // An unknown name may be an option of a newer server, so the server decides.
      if (typeof field !== 'string') options[field?.name ?? name] = value;
      else if (typeof value === 'string') plain[field] = value;
      else throw new UsageError(`${where}: ${field} must be text`);
    }
    return [listedUrl(plain, options, where)];
  });
}

function parseObject(line: string, where: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error is reported below.
  }
  throw new UsageError(`${where} is not a JSON object such as {"url": "https://example.com/"}`);
}
