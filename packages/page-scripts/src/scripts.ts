import { readFileSync } from 'node:fs';

/** The functions that run in our world of a document: the exports of the files of `world/`. */
export type WorldScripts = typeof import('./world/act.ts') &
  typeof import('./world/article.ts') &
  typeof import('./world/banners.ts') &
  typeof import('./world/card.ts') &
  typeof import('./world/clean.ts') &
  typeof import('./world/consent.ts') &
  typeof import('./world/content.ts') &
  typeof import('./world/document.ts') &
  typeof import('./world/formulas.ts') &
  typeof import('./world/hold.ts') &
  typeof import('./world/markdown.ts') &
  typeof import('./world/measure.ts') &
  typeof import('./world/prepare.ts') &
  typeof import('./world/print.ts') &
  typeof import('./world/quality.ts') &
  typeof import('./world/scroll.ts') &
  typeof import('./world/wait.ts');

/** The scripts that run before those of a page: the default exports of the files of `document-start/`. */
export interface DocumentStartScripts {
  'keep-window-heights': typeof import('./document-start/keep-window-heights.ts').default;
  'preserve-drawings': typeof import('./document-start/preserve-drawings.ts').default;
  'record-errors': typeof import('./document-start/record-errors.ts').default;
  'refuse-sockets': typeof import('./document-start/refuse-sockets.ts').default;
  'send-errors': typeof import('./document-start/send-errors.ts').default;
  'track-work': typeof import('./document-start/track-work.ts').default;
}

export type WorldScript = keyof WorldScripts;

/** The functions of the steps that prepare a tall page, and their helpers. */
export type PreparingScript = keyof typeof import('./world/prepare.ts');

/** The input of a script, as JSON; null if the script takes no input. */
export type InputOf<Name extends WorldScript> = InputOfFunction<WorldScripts[Name]>;
export type OutputOf<Name extends WorldScript> = Awaited<ReturnType<WorldScripts[Name]>>;

type InputOfFunction<Script extends (...input: never[]) => unknown> =
  Parameters<Script> extends [] ? null : Parameters<Script>[0];

interface Bundled {
  /** The text that installs a room, and the functions of the room, by the room's name. */
  rooms: Record<string, { text: string; functions: WorldScript[] }>;
  documentStart: Record<keyof DocumentStartScripts, string>;
}

const bundled = JSON.parse(readFileSync(new URL('../dist/scripts.json', import.meta.url), 'utf8')) as Bundled;

const rooms = new Map(
  Object.entries(bundled.rooms).flatMap(([name, { functions }]) => functions.map((script) => [script, name] as const)),
);

/** The expression that finds the scripts of a world. */
const scripts = "globalThis[Symbol.for('capture')].scripts";

/** Finds the room of a script: its name, and the text that installs the room in a world. */
export function roomOf(script: WorldScript): { name: string; text: string } {
  const name = rooms.get(script);
  const room = name === undefined ? undefined : bundled.rooms[name];
  if (name === undefined || !room) throw new Error(`no room of our world exports ${script}`);
  return { name, text: room.text };
}

/** Returns the expression that calls a script whose room is installed. */
export function callOf<Name extends WorldScript>(script: Name, input: InputOf<Name>): string {
  return `${scripts}.${script}(${JSON.stringify(input)})`;
}

/** Declares a function that calls a script with two arguments: the object that the function is called on, and a value. */
export function methodOf(script: WorldScript): string {
  return `function (value) { return ${scripts}.${script}(this, value); }`;
}

/** Returns the text that runs a script before those of a page, or in a new worker. */
export function documentStart<Name extends keyof DocumentStartScripts>(
  name: Name,
  input: InputOfFunction<DocumentStartScripts[Name]>,
): string {
  return `${bundled.documentStart[name]}(${JSON.stringify(input)})`;
}
