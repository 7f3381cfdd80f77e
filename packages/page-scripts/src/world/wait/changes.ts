import type { Root } from '../dom/page-roots.ts';
import { inView, isShown } from '../dom/visibility.ts';
import type { Changes } from '../state/changes.ts';
import { state } from '../state/page-state.ts';
import { changedCanvases } from './canvas-copies.ts';
import type { Glance } from './glance.ts';

/** How many records of one report are read: of very many changes the last records are enough. */
const recordsAtMost = 200;
const elementsAtMost = 50;

/** Elements that moved so shortly before the end of a wait, milliseconds, count as endless. */
const recentMs = 1_000;

const attributeFilter =
  'style class src srcset width height d transform hidden points x y cx cy r x1 y1 x2 y2 fill opacity value open stroke-dasharray stroke-dashoffset'.split(
    ' ',
  );

/** The attributes that, with the computed style, decide how an element looks. */
const drawingAttributes = 'style d points transform stroke-dasharray stroke-dashoffset src fill'.split(' ');

/** Watches the changes of the page. The first call starts to watch, and each call adds new roots. */
export function watchChanges({ roots, input }: Glance): Changes {
  state.changes ??= startWatching(input.endlessWaits);
  for (const root of roots) observe(state.changes, root);
  return state.changes;
}

/** Stops watching. The observer of a document would continue with the document that is written into it next. */
export function stopWatching(): void {
  state.changes?.observer.disconnect();
  delete state.changes;
}

/** Whether anything visible has changed since the last look, except elements that change without an end. */
export function isMoving(glance: Glance): boolean {
  const changes = watchChanges(glance);
  const now = performance.now();
  if (glance.input.endlessWaits > changes.endlessWaits) noteEndless(changes, glance.input.endlessWaits);
  const moved = [...changedElements(changes), ...changedCanvases(glance)];
  for (const element of moved) changes.moved.set(element, now);
  return moved.some((element) => !isEndless(changes, element));
}

function startWatching(endlessWaits: number): Changes {
  const changes: Changes = {
    contents: new Set(),
    elements: new Set(),
    known: new WeakMap(),
    moved: new Map(),
    hidden: [],
    endless: new WeakSet(),
    endlessWaits,
    observed: new WeakSet(),
    observer: new MutationObserver((records) => {
      for (const record of records.slice(-recordsAtMost)) note(changes, record);
    }),
  };
  return changes;
}

function observe({ observer, observed }: Changes, root: Root): void {
  if (observed.has(root)) return;
  observed.add(root);
  observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter });
}

function note({ elements, contents }: Changes, { target, type }: MutationRecord): void {
  // The node is recognized by its type, because elements in frames belong to other realms.
  const element = target.nodeType === Node.ELEMENT_NODE ? (target as Element) : target.parentElement;
  if (!element || element === document.head || element.parentElement === document.head) return;
  const changed = type === 'attributes' ? elements : contents;
  if (changed.size < elementsAtMost) changed.add(element);
}

function noteEndless(changes: Changes, endlessWaits: number): void {
  const recent = Math.max(...changes.moved.values()) - recentMs;
  for (const [element, movedAt] of changes.moved) if (movedAt >= recent) changes.endless.add(element);
  for (const element of changes.hidden) changes.endless.add(element);
  changes.endlessWaits = endlessWaits;
}

/** Whether an element, or an ancestor that is smaller than the page, changes without an end. */
function isEndless({ endless }: Changes, element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (endless.has(each) && (each === element || each !== document.body)) return true;
  }
  return false;
}

/** Returns visible elements with another text, place or look. */
function changedElements({ contents, elements, known }: Changes): Element[] {
  const changed = [...contents].filter((element) => element.isConnected && inView(element) && isShown(element));
  for (const element of elements) {
    if (!element.isConnected) continue;
    const rect = element.getBoundingClientRect();
    const appearance = appearanceOf(element, rect);
    if (known.get(element) !== appearance && inView(element, rect)) changed.push(element);
    known.set(element, appearance);
  }
  contents.clear();
  elements.clear();
  return changed;
}

function appearanceOf(element: Element, rect: DOMRect): string {
  const { opacity, visibility, backgroundColor } = getComputedStyle(element);
  const place = [rect.x, rect.y, rect.width, rect.height].map(Math.round);
  const drawing = drawingAttributes.map((name) => element.getAttribute(name)?.slice(0, 500) ?? '').join(' ');
  // Values are rounded to a hundredth, because a visitor does not see the last movement of an element that approaches its end.
  const rounded = drawing.replace(/-?\d*\.\d+(e-\d+)?/g, (value) => Number(value).toFixed(2));
  return [...place, Number(opacity).toFixed(2), visibility, backgroundColor, rounded].join();
}
