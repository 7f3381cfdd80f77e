import { state } from './state/page-state.ts';

/**
 * Holds a document still: its timers and animation frames, by an event that `trackWork` knows, its animations and its videos.
 * Animations that follow the scroll position stay as they are.
 */
export function holdStill(workEvent: string): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-hold`));
  // Animations of shadow trees are not among the document's.
  const running = rootsWithShadows()
    .flatMap((root) => root.getAnimations())
    .filter(({ timeline, playState }) => timeline === document.timeline && playState === 'running');
  for (const animation of running) animation.pause();
  state.heldAnimations = running;
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) media.pause();
  for (const image of document.querySelectorAll('svg')) image.pauseAnimations();
}

/** Lets a document that is held move on. */
export function moveOn(workEvent: string): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-release`));
  for (const animation of state.heldAnimations ?? []) animation.play();
}

function rootsWithShadows(): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [document];
  // The list grows as it is read.
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  return roots;
}
