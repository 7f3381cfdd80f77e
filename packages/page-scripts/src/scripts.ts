import { readFileSync } from 'node:fs';

/** The functions that run in our world of a document: what the files of `world/` export. */
export type WorldScripts = typeof import('./world/act.ts') &
  typeof import('./world/document.ts') &
  typeof import('./world/frame.ts') &
  typeof import('./world/hold.ts') &
  typeof import('./world/wait.ts');

/** The scripts that run before those of a page: the default exports of the files of `document-start/`. */
export interface DocumentStartScripts {
  'preserve-drawings': typeof import('./document-start/preserve-drawings.ts').default;
  'record-errors': typeof import('./document-start/record-errors.ts').default;
  'refuse-sockets': typeof import('./document-start/refuse-sockets.ts').default;
  'send-errors': typeof import('./document-start/send-errors.ts').default;
  'track-work': typeof import('./document-start/track-work.ts').default;
}

export type WorldScript = keyof WorldScripts;

/** Null where a script takes nothing. Input and output are JSON. */
export type InputOf<Name extends WorldScript> = InputOfFunction<WorldScripts[Name]>;
export type OutputOf<Name extends WorldScript> = Awaited<ReturnType<WorldScripts[Name]>>;

type InputOfFunction<Script extends (input: never) => unknown> =
  Parameters<Script> extends [] ? null : Parameters<Script>[0];

interface Bundled {
  /** By the name of a room: the text that installs it, and the functions that it has. */
  rooms: Record<string, { text: string; functions: WorldScript[] }>;
  documentStart: Record<keyof DocumentStartScripts, string>;
}

const bundled = JSON.parse(readFileSync(new URL('../dist/scripts.json', import.meta.url), 'utf8')) as Bundled;

const rooms = new Map(
  Object.entries(bundled.rooms).flatMap(([name, { functions }]) => functions.map((script) => [script, name] as const)),
);

/** The expression in which a world's scripts are found by their names. */
const scripts = "globalThis[Symbol.for('capture')].scripts";

/** The room that has a script: its name, and the text that installs it in a world. */
export function roomOf(script: WorldScript): { name: string; text: string } {
  const name = rooms.get(script);
  const room = name === undefined ? undefined : bundled.rooms[name];
  if (name === undefined || !room) throw new Error(`no room of our world exports ${script}`);
  return { name, text: room.text };
}

/** The expression that calls a script whose room is installed. */
export function callOf<Name extends WorldScript>(script: Name, input: InputOf<Name>): string {
  return `${scripts}.${script}(${JSON.stringify(input)})`;
}

/** The declaration of a function that calls a script with the object that the function is called on, and a value. */
export function methodOf(script: WorldScript): string {
  return `function (value) { return ${scripts}.${script}(this, value); }`;
}

/** The text that runs a script before those of a page, or in a new worker. */
export function documentStart<Name extends keyof DocumentStartScripts>(
  name: Name,
  input: InputOfFunction<DocumentStartScripts[Name]>,
): string {
  return `${bundled.documentStart[name]}(${JSON.stringify(input)})`;
}
