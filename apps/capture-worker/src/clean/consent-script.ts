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

/** The cookie banner library: the script that runs in pages, and its rules. */
export interface ConsentScript {
  /** Name and version. */
  name: string;
  /** Runs once in an isolated world after `prepareConsent`. */
  source: string;
  rules: IndexedCMPRuleset;
}

let loading: Promise<ConsentScript> | undefined;

/** Reads the 400 kB script when the first capture needs it. */
export function consentScript(): Promise<ConsentScript> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ConsentScript> {
  const require = createRequire(import.meta.url);
  const dist = path.dirname(require.resolve('@duckduckgo/autoconsent'));
  const [source, rules, manifest] = await Promise.all([
    // The library's only bundle that is not a module; the package does not export it.
    readFile(path.join(dist, 'autoconsent.playwright.js'), 'utf8'),
    readFile(require.resolve('@duckduckgo/autoconsent/rules/compact-rules.json'), 'utf8'),
    readFile(path.join(dist, '..', 'package.json'), 'utf8'),
  ]);
  const { version } = JSON.parse(manifest) as { version: string };
  return { name: `autoconsent ${version}`, source, rules: JSON.parse(rules) as IndexedCMPRuleset };
}

/** Returns the rules that may apply to a frame; most of the 800 are for a single site. */
export function rulesFor({ rules }: ConsentScript, frame: { url: string; mainFrame: boolean }): CompactCMPRuleset {
  return filterCompactRules(rules, frame);
}

const namesOf = new WeakMap<ConsentScript, string[]>();

/** Returns the ids and classes by which the rules hide banners, without the rules for single sites. */
export function bannerNamesOf(script: ConsentScript): string[] {
  let names = namesOf.get(script);
  if (!names) {
    const rules = decodeRules(script.rules);
    const generic = rules.filter(({ name, runContext }) => !runContext?.urlPattern && !name.startsWith('auto_'));
    const selectors = generic
      .flatMap(({ prehideSelectors = [] }) => prehideSelectors)
      .flatMap((list) => list.split(','));
    names = [...new Set(selectors.flatMap((selector) => /^\s*[#.]([\w-]+)\s*$/.exec(selector)?.[1] ?? []))];
    namesOf.set(script, names);
  }
  return names;
}

/** Returns the source of a snippet for the page's main world: always the library's own code, never text from the page. */
export function snippetSource(id: string): string | null {
  if (!Object.hasOwn(evalSnippets, id)) return null;
  const snippet = evalSnippets[id as keyof typeof evalSnippets] as () => unknown;
  return `(async () => !!(await (${snippet})()))()`;
}

/** The configuration of the script. */
export const consentConfig = {
  enabled: true,
  autoAction: 'optOut',
  disabledCmps: [],
  // Nothing is captured meanwhile, so nothing needs to be hidden in advance.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableHeuristicDetection: false,
  // For a banner that no rule knows: clicks its reject button. The "OK" of a notice accepts: it is hidden instead.
  heuristicMode: 'reject',
  // Enough for a page of 100,000 elements, or for a small page on a busy machine.
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

/** Names of rules appear in receipts. */
const cmp = z.string().regex(/^[\w .:/&()+-]{1,80}$/);

/** The messages of the consent script that are handled. They are validated, because the page may be hostile. */
const consentMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init') }),
  z.object({ type: z.literal('eval'), id: z.string().max(100), snippetId: z.string().max(100) }),
  z.object({ type: z.literal('cmpDetected'), cmp }),
  z.object({ type: z.literal('popupFound'), cmp }),
  z.object({ type: z.literal('optOutResult'), cmp, result: z.boolean() }),
  z.object({ type: z.literal('autoconsentDone'), cmp, isCosmetic: z.boolean() }),
  z.object({
    type: z.literal('report'),
    state: z.object({ lifecycle: z.string().max(50), clicks: z.number().catch(0) }),
  }),
]);

export type ConsentMessage = z.infer<typeof consentMessage>;

/** Returns the valid messages. */
export function readMessages(messages: unknown): ConsentMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message) => {
    const parsed = consentMessage.safeParse(message);
    return parsed.success ? [parsed.data] : [];
  });
}
