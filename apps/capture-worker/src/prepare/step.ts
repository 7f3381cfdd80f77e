import type { InputOf, PreparingScript } from '@capture/page-scripts/scripts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import type { TallPage } from './tall-page.ts';

/** A script of `packages/page-scripts/src/world/prepare.ts` without input. */
type PageScript = { [Name in PreparingScript]: [InputOf<Name>] extends [null] ? Name : never }[PreparingScript];

type Work = PageScript | ((tall: TallPage) => Promise<unknown>);

/** A step of preparing a tall page, with only the functions that the step needs. */
export interface Step {
  name: string;
  /** Selects pages that need the step; by default, pages whose viewport grows, or for `finish` has grown. */
  applies?: (tall: TallPage) => boolean;
  /** Runs in the visitor's window: records what a visitor sees, and fixes lengths that depend on the height. */
  record?: Work;
  /** Runs whenever the height of the viewport changes: puts everything back where the visitor saw it. */
  apply?: Work;
  /** Runs once, when the viewport has its last height. */
  finish?: Work;
  /** Runs before the page is printed: reverts changes that would be wrong on paper. */
  undo?: PageScript;
  /** Whether a PDF of a single page, whose sheet is as tall as the page, keeps the step. */
  isKeptOnOneSheet?: boolean;
}

const stepsWithinMs = 10_000;

/** Runs one function of all steps that have it, in their order. If the page breaks a function, the step is left out. */
export async function runSteps(
  steps: readonly Step[],
  moment: 'record' | 'apply' | 'finish',
  tall: TallPage,
): Promise<void> {
  const isDefault = () => (moment === 'finish' ? tall.hasGrown : !tall.isTooTall);
  let scripts: PageScript[] = [];
  const runScripts = async () => {
    if (scripts.length > 0) await runPageScripts(tall.page, scripts, tall.deadline);
    scripts = [];
  };
  for (const step of steps) {
    const work = step[moment];
    if (typeof work === 'function') await runScripts();
    if (!work || !(step.applies?.(tall) ?? isDefault())) continue;
    if (typeof work === 'function') await work(tall);
    else scripts.push(work);
  }
  await runScripts();
}

/** Undoes steps in the reverse order. */
export function undoSteps(steps: readonly Step[], page: CapturePage, deadline: Deadline): Promise<void> {
  const scripts = steps.toReversed().flatMap(({ undo }) => undo ?? []);
  return runPageScripts(page, scripts, deadline);
}

/** Runs the scripts of several steps in one call. */
async function runPageScripts(page: CapturePage, scripts: PageScript[], deadline: Deadline): Promise<void> {
  const limits = { what: 'preparing the page', limitMs: stepsWithinMs, deadline };
  await bestEffort(runInPage(page, 'runSteps', scripts, limits));
}
