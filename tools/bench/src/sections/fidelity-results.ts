import { type Case, type Group, isForPeers } from '@capture/corpus/case';
import type { Result } from '@capture/corpus/check/check-result';
import { median } from '@capture/testing/statistics';
import type { NamedTable } from '../section.ts';

/** Options that every contender has. */
const commonOptions = new Set(['full_page', 'selector', 'clip', 'width', 'height']);

/** Whether all contenders can draw a case. */
export const isForAll = (each: Case): boolean =>
  isForPeers(each) && Object.keys(each.options ?? {}).every((option) => commonOptions.has(option));

/** A contender, and its results. */
export interface Runner {
  title: string;
  draw(each: Case): Promise<Result>;
  /** Whether the runner draws every case, and its report is checked, too. */
  isPlatform: boolean;
  outcomes: Map<Case, { ms: number; wrong: string[] }[]>;
}

/** A case is right if it is right in every round. */
const isRight = ({ outcomes }: Runner, each: Case): boolean =>
  outcomes.get(each)?.every(({ wrong }) => wrong.length === 0) ?? false;

const rightOf = (one: Runner, cases: readonly Case[]) => cases.filter((each) => isRight(one, each)).length;

const medianOf = ({ outcomes }: Runner, cases: readonly Case[]) =>
  median(cases.flatMap((each) => outcomes.get(each)?.map(({ ms }) => ms) ?? []));

export const rightOnes = (runners: readonly Runner[], each: Case) =>
  runners
    .filter((one) => isRight(one, each))
    .map(({ title }) => title)
    .join(', ') || 'none';

/** Returns the figures of the goals table. The first runner is the platform. */
export function figuresOf(runners: readonly Runner[], cases: readonly Case[]) {
  const [us, ...peers] = runners;
  const shared = cases.filter(isForAll);
  if (!us) return {};
  const time = medianOf(us, shared);
  const fastest = Math.min(
    ...peers.filter((peer) => rightOf(peer, shared) > shared.length / 2).map((peer) => medianOf(peer, shared)),
  );
  return {
    fidelityRight: (rightOf(us, cases) / cases.length) * 100,
    fidelityLead: rightOf(us, shared) - Math.max(0, ...peers.map((peer) => rightOf(peer, shared))),
    fidelityMedian: time,
    fidelityTime: Number.isFinite(fastest) ? time / fastest : 'no other tool gets a majority of the cases right',
  };
}

export function groupsTable(runners: readonly Runner[], cases: readonly Case[]): NamedTable {
  const shared = cases.filter(isForAll);
  const row = (title: string, own: readonly Case[]) => [
    title,
    ...runners.map((one) => {
      const asked = own.filter((each) => one.outcomes.has(each));
      return asked.length > 0 ? `${rightOf(one, asked)} of ${asked.length}` : '–';
    }),
  ];
  const groups = [...new Set(cases.map(({ group }) => group))];
  return {
    title: 'Realistic pages: cases that are right',
    head: ['', ...runners.map(({ title }) => title)],
    rows: [
      ...groups.map((group: Group) =>
        row(
          group,
          cases.filter((each) => each.group === group),
        ),
      ),
      row('all', cases),
      row('that all can be asked', shared),
      ['… median seconds', ...runners.map((one) => (medianOf(one, shared) / 1_000).toFixed(2))],
    ],
  };
}

export const wrongNotes = ({ title, outcomes }: Runner): string[] =>
  [...outcomes].flatMap(([each, runs]) => {
    const said = new Set(runs.flatMap(({ wrong }) => wrong));
    return said.size > 0 ? [`WRONG: ${title}, \`${each.name}\`: ${[...said].join('; ')}`] : [];
  });
