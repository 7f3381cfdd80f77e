import type { ListedUrl } from '../list/item.ts';
import type { GivenOptions } from '../options/option-flags.ts';
import { UsageError } from '../usage-error.ts';
import { fieldOf, listedUrl } from './listed-fields.ts';

/**
 * A JSON object a line: `url`, and if wanted `type`, `file` and options of the API.
 *
 * @throws {UsageError} that names the line at fault.
 */
export function readJsonLines(text: string): ListedUrl[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `line ${index + 1}`;
    const plain: { url?: string; type?: string; file?: string } = {};
    const own: GivenOptions = {};
    for (const [name, value] of Object.entries(parseObject(line, where))) {
      const field = fieldOf(name);
      // What is not known here may be an option of a newer server, which says so if it is not.
      if (typeof field !== 'string') own[field?.name ?? name] = value;
      else if (typeof value === 'string') plain[field] = value;
      else throw new UsageError(`${where}: ${field} must be a text`);
    }
    return [listedUrl(plain, own, where)];
  });
}

function parseObject(line: string, where: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new UsageError(`${where} is no JSON object such as {"url": "https://example.com/"}`);
}
