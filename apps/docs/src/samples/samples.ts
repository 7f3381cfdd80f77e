import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import type { SampleRequest } from './sample-request.ts';

export interface Language {
  id: string;
  label: string;
  /** The grammar that colours the sample's code. */
  grammar: string;
  write(request: SampleRequest): string;
}

/** The languages of every operation's samples; the first is shown until a reader picks another. */
export const languages: readonly Language[] = [
  { id: 'curl', label: 'curl', grammar: 'bash', write: curl },
  { id: 'node', label: 'Node', grammar: 'javascript', write: node },
  { id: 'python', label: 'Python', grammar: 'python', write: python },
  { id: 'php', label: 'PHP', grammar: 'php', write: php },
  { id: 'go', label: 'Go', grammar: 'go', write: go },
  { id: 'ruby', label: 'Ruby', grammar: 'ruby', write: ruby },
];
