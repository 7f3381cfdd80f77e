// Finds words that this project has replaced with the field's standard terms: `node lint/check-words.mjs [files]`.
// docs/glossary.md has the terms. cspell and the like check single words; half of these are phrases.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What to look for, and what to write instead. */
const words = [
  [/answer(s|ed|ing)?/, 'response; respond, return'],
  [/pictures?/, 'screenshot, or image for the bytes'],
  [/shots?/, 'screenshot, or image for the bytes'],
  [/whole(-| )pages?/, 'full page'],
  [/told|tells?/, 'report, return, notify; reported, returned, notified'],
  [/nobody|somebody|anybody|everybody|whoever/, 'the caller, a client, an account, an operator: name who acts'],
  [/anew|once more|again and again/, 'again, or nothing'],
  [/any more/, 'no longer'],
  [/mend(s|ed|ing)?/, 'fix'],
  [/troubles?/, 'problem, issue'],
  [/(is|are|was|were|be|being) away/, 'unavailable'],
  [/under way/, 'in progress'],
  [/given up|gives? up|gave up/, 'exhausted, failed; stops'],
  [/free places?/, 'free slot'],
  [/(un)?seal(s|ed|er|ers|ing)?/, 'encrypt, encrypted, Encryptor'],
  [/confided?/, 'secret options'],
  [/stand-ins?/, 'keyed hash'],
  [/judg(e|es|ed|ing|ement)/, 'check, decide'],
  [/verdicts?/, 'check, decision'],
  [/sweepers?|sweep(s|ing)?|swept/, 'cleanup job'],
  [/desks?/, 'operator console'],
  [/moving(-| )in|move in/, 'migrate, migration'],
  [/ways? out/, 'egress'],
  [/ward(s|ed|en|ens)/, 'process guard'],
  [/planted/, 'injected, seeded'],
  [/outlook/, 'queue estimate; next due time'],
  [/the middle of (three|five|the)/, 'the median of'],
  [/e-mails?/, 'email'],
  [/recogni(se|ses|sed|sing)/, 'recognize'],
  [/\d+ in 100|half of them/, 'p50, p95'],
];

/** Names that stay: columns and tables, statements and jobs that versions share during an upgrade, and terms of other fields. */
const allowed = [
  /'nobody:'/g,
  /'sweeper-runs'|'deliveries-outlook'|'note-sweep-\w+'|`sweep \$\{name\}`|'\*sealed'/g,
  /'find-answer'|\b(i|row|excluded)\.answer\b|answer = excluded\.answer|capture_id, answer,|@map\("answer"\)/g,
  /desktops?/g,
  /DNS answers?|createAnswer/g,
  /sweeper_run|moveInLine|nobodyAccount/g,
  // A group of the corpus.
  /'verdict'/g,
];

/** This list itself and its test, generated files, other people's texts, and the words of the past. */
const skipped =
  /^(lint\/check-words\.mjs|apps\/standalone\/src\/check-words\.test\.ts|docs\/glossary\.md|LICENSE|package-lock\.json|prisma\/migrations\/.*|tools\/corpus\/pages\/.*)$|\/LICENSE$|\.(webp|png|ico|woff2)$/;

/** The words of a phrase may stand on two lines, of prose or of a comment. */
const sourceOf = ([word]) => word.source.replaceAll(' ', String.raw`\s+(?:(?:\*|\/\/+|#) )?`);
const pattern = new RegExp(`(?<!\\w)(?:${words.map((entry) => `(?:${sourceOf(entry)})`).join('|')})(?!\\w)`, 'gi');

/** Finds replaced words, also inside of names such as `givesUpAfterMs`. */
function* replacedWords(text) {
  const rest = allowed.reduce((left, name) => left.replace(name, ''), text);
  const plain = rest.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  for (const { 0: hit, index } of plain.matchAll(pattern)) {
    const [, instead] = words.find((entry) => new RegExp(`^(?:${sourceOf(entry)})$`, 'i').test(hit));
    yield { line: plain.slice(0, index).split('\n').length, hit: hit.replace(/\s+/g, ' '), instead };
  }
}

const files = execFileSync('git', ['ls-files', '-z', ...process.argv.slice(2)], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file && !skipped.test(file) && existsSync(file));

let found = 0;
const report = (place, { hit, instead }) => {
  console.error(`${place}: “${hit}”: write ${instead}`);
  found += 1;
};
for (const file of files) {
  for (const fault of replacedWords(file.replace(/[-./]/g, ' '))) report(`${file} (its name)`, fault);
  for (const fault of replacedWords(readFileSync(file, 'utf8'))) report(`${file}:${fault.line}`, fault);
}
if (found > 0) {
  console.error(`${found} words that docs/glossary.md replaces.`);
  process.exit(1);
}
