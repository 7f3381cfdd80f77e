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
import { z } from 'zod';

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

/** Names of rules stand in receipts. */
const cmp = z.string().regex(/^[\w .:/&()+-]{1,80}$/);

/** What the consent script says that we act on, each checked: it lives in a hostile page. */
const consentMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init') }),
  z.object({ type: z.literal('eval'), id: z.string().max(100), snippetId: z.string().max(100) }),
  z.object({ type: z.literal('cmpDetected'), cmp }),
  z.object({ type: z.literal('popupFound'), cmp }),
  z.object({ type: z.literal('optOutResult'), cmp, result: z.boolean() }),
  z.object({ type: z.literal('autoconsentDone'), cmp, isCosmetic: z.boolean() }),
  z.object({ type: z.literal('report'), state: z.object({ lifecycle: z.string().max(50) }) }),
]);

export type ConsentMessage = z.infer<typeof consentMessage>;

/** Those of the messages that are of a known form. */
export function readMessages(told: unknown): ConsentMessage[] {
  if (!Array.isArray(told)) return [];
  return told.flatMap((each) => {
    const read = consentMessage.safeParse(each);
    return read.success ? [read.data] : [];
  });
}
