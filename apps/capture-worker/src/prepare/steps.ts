import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { hasRoomForEnd, showEnd } from './end.ts';
import { recordForeignSheets } from './foreign-sheets.ts';
import { watchScenes } from './scenes.ts';
import { closeEmptyScroller, closeGaps } from './shorten.ts';
import { runSteps, type Step, undoSteps } from './step.ts';
import { type PageScreen, TallPage } from './tall-page.ts';

const visitorWindow: Step = { name: 'window', record: 'recordWindow' };
const lengths: Step = {
  name: 'lengths',
  record: 'recordLengths',
  apply: 'applyLengths',
  undo: 'undoLengths',
  isKeptOnOneSheet: true,
};
const foreignSheets: Step = { name: 'style sheets of other sites', record: recordForeignSheets };

/** All steps, in the order in which they run; paper undoes them in the reverse order. */
export const steps: readonly Step[] = [
  { name: 'sections', applies: (tall) => tall.isTooTall, record: 'showAllSections' },
  { name: 'empty scroller', finish: closeEmptyScroller },
  { name: 'scenes', record: (tall) => tall.call('recordFollowers', tall.page.workEvent), finish: watchScenes },
  { name: 'end of the page', applies: hasRoomForEnd, finish: showEnd },
  { name: 'looks of scenes', applies: (tall) => tall.hasGrown && tall.scenes === 'watched', finish: 'finishScenes' },
  { name: 'gaps', applies: (tall) => tall.hasGrown && tall.size.scale === 1, finish: closeGaps },
  { name: 'drawings', record: 'recordDrawings', finish: 'finishDrawings' },
  visitorWindow,
  lengths,
  { name: 'rest', apply: 'applyRest', undo: 'undoRest' },
  { name: 'places', record: 'recordPlaces', apply: 'applyPlaces' },
  {
    name: 'backdrops',
    record: 'recordBackdrops',
    apply: 'applyBackdrops',
    undo: 'undoBackdrops',
    isKeptOnOneSheet: true,
  },
  {
    name: 'pseudo-elements',
    record: 'recordPseudos',
    apply: 'applyPseudos',
    undo: 'undoPseudos',
    isKeptOnOneSheet: true,
  },
  { name: 'openings', apply: 'applyOpenings' },
  { name: 'canvases', record: 'recordCanvases', finish: 'finishCanvases' },
  { name: 'photos', finish: 'finishPhotos', undo: 'undoPhotos' },
  foreignSheets,
  {
    name: 'animations',
    applies: () => true,
    finish: (tall) => tall.call('finishTimelines', tall.screen.height),
  },
];

/** Fixes only the lengths that depend on the height of the window. */
export async function recordLengths(page: CapturePage, screen: PageScreen, deadline: Deadline): Promise<void> {
  const tall = new TallPage(page, screen, { deadline, end: performance.now(), place: async () => undefined });
  await runSteps([visitorWindow, lengths, foreignSheets], 'record', tall);
}

/** Undoes the steps that are wrong on any paper. `undoForSheets` undoes those that suit only one sheet. */
export function undoForPaper(page: CapturePage, deadline: Deadline): Promise<void> {
  const unwanted = steps.filter(({ isKeptOnOneSheet }) => !isKeptOnOneSheet);
  return undoSteps(unwanted, page, deadline);
}

export function undoForSheets(page: CapturePage, deadline: Deadline): Promise<void> {
  const unwanted = steps.filter(({ isKeptOnOneSheet }) => isKeptOnOneSheet);
  return undoSteps(unwanted, page, deadline);
}
