import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  type CompactCMPRuleset,
  decodeRules,
  evalSnippets,
  filterCompactRules,
  type IndexedCMPRuleset,
} from '@duckduckgo/autoconsent';

/** The library that knows cookie banners: what runs in pages, and its rules. */
export interface ConsentScript {
  /** Name and version. */
  name: string;
  /** To be run once in a world of ours that `prepareConsentWorld` has prepared. */
  source: string;
  rules: IndexedCMPRuleset;
}

let loading: Promise<ConsentScript> | undefined;

/** Reads it when the first capture asks for it: 400 kB. */
export function consentScript(): Promise<ConsentScript> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ConsentScript> {
  const require = createRequire(import.meta.url);
  const dist = path.dirname(require.resolve('@duckduckgo/autoconsent'));
  const [source, rules, manifest] = await Promise.all([
    // The one bundle of it that is no module; it is not among the package's exports.
    readFile(path.join(dist, 'autoconsent.playwright.js'), 'utf8'),
    readFile(require.resolve('@duckduckgo/autoconsent/rules/compact-rules.json'), 'utf8'),
    readFile(path.join(dist, '..', 'package.json'), 'utf8'),
  ]);
  const { version } = JSON.parse(manifest) as { version: string };
  return { name: `autoconsent ${version}`, source, rules: JSON.parse(rules) as IndexedCMPRuleset };
}

/** The rules that may apply to a frame; of the 800 most are for one site. */
export function rulesFor({ rules }: ConsentScript, frame: { url: string; mainFrame: boolean }): CompactCMPRuleset {
  return filterCompactRules(rules, frame);
}

/** What a rule hides before it clicks: the banner, in a word. Empty where the rule does not say. */
export function bannerSelectors({ rules }: ConsentScript, cmp: string): string[] {
  const rule = decodeRules(rules).find(({ name }) => name === cmp);
  return rule?.prehideSelectors ?? [];
}

/** What a rule may have run among the page's own scripts: the library's own text, whatever text was asked for. */
export function snippetSource(id: string): string | null {
  if (!Object.hasOwn(evalSnippets, id)) return null;
  const snippet = evalSnippets[id as keyof typeof evalSnippets] as () => unknown;
  return `(async () => !!(await (${snippet})()))()`;
}

/** What the script is told to do. */
export const consentConfig = {
  enabled: true,
  autoAction: 'optOut',
  disabledCmps: [],
  // Nothing is drawn meanwhile, so nothing need be hidden for that time.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableHeuristicDetection: false,
  // A banner that no rule knows: its button to refuse is pressed, or the only one of a mere notice; never one to accept.
  heuristicMode: 'tier1',
  // What a page of 100,000 elements takes; a busy machine needs it for a small one.
  heuristicPopupSearchTimeout: 500,
  isMainWorld: false,
  prehideTimeout: 0,
  visualTest: false,
  logs: {
    lifecycle: false,
    rulesteps: false,
    detectionsteps: false,
    evals: false,
    errors: false,
    messages: false,
    waits: false,
  },
};
