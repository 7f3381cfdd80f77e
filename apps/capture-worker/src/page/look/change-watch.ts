/// <reference lib="dom" />
import type { ScheduledWork } from '../track-work.ts';
import type { CanvasCopies } from './canvas-copies.ts';
import type { Changes, LookInput, LookWorld } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `changeWatch`. */
export type ChangeWatch = ReturnType<typeof changeWatch>;

/** Watches for what moves. Part of `look`. */
export function changeWatch({
  input: { endlessWaits },
  page: { roots },
  visible: { inView, isShown },
  canvases: { changedCanvases },
}: {
  input: LookInput;
  page: PageRoots;
  visible: Visibility;
  canvases: CanvasCopies;
}) {
  const world = globalThis as LookWorld;
  return { isMoving, watchChanges };

  /** Whether anything visible has changed since the last look, other than what does so without an end. */
  function isMoving(work: ScheduledWork): boolean {
    const changes = watchChanges();
    const now = performance.now();
    if (endlessWaits > changes.endlessWaits) {
      const recent = Math.max(...changes.moved.values()) - 1_000;
      for (const [element, movedAt] of changes.moved) if (movedAt >= recent) changes.endless.add(element);
      for (const element of changes.hidden) changes.endless.add(element);
      changes.endlessWaits = endlessWaits;
    }
    const isEndless = (element: Element) => {
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (changes.endless.has(each) && (each === element || each !== document.body)) return true;
      }
      return false;
    };
    const moved = [...changedElements(changes), ...changedCanvases(work)];
    for (const element of moved) changes.moved.set(element, now);
    return moved.some((element) => !isEndless(element));
  }

  /** Visible elements that have changed their text, place or look. */
  function changedElements({ contents, elements, known }: Changes): Element[] {
    const changed = [...contents].filter((element) => element.isConnected && inView(element) && isShown(element));
    for (const element of elements) {
      if (!element.isConnected) continue;
      const rect = element.getBoundingClientRect();
      const { opacity, visibility, backgroundColor } = getComputedStyle(element);
      const place = [rect.x, rect.y, rect.width, rect.height].map(Math.round);
      const names = ['style', 'd', 'points', 'transform', 'stroke-dasharray', 'stroke-dashoffset', 'src', 'fill'];
      const drawing = names.map((name) => element.getAttribute(name)?.slice(0, 500) ?? '').join(' ');
      // To a hundredth: what approaches its end does not move for a visitor.
      const rounded = drawing.replace(/-?\d*\.\d+(e-\d+)?/g, (value) => Number(value).toFixed(2));
      const appearance = [...place, Number(opacity).toFixed(2), visibility, backgroundColor, rounded].join();
      if (known.get(element) !== appearance && inView(element, rect)) changed.push(element);
      known.set(element, appearance);
    }
    contents.clear();
    elements.clear();
    return changed;
  }

  /** Starts to watch the roots that are not watched yet. */
  function watchChanges(): Changes {
    const attributeFilter = [
      'style',
      'class',
      'src',
      'srcset',
      'width',
      'height',
      'd',
      'transform',
      'hidden',
      'points',
    ];
    attributeFilter.push('x', 'y', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2', 'fill', 'opacity', 'value', 'open');
    attributeFilter.push('stroke-dasharray', 'stroke-dashoffset');
    const observer = new MutationObserver((records) => {
      const { captureChanges: changes } = world;
      // Of very many changes the last ones are enough.
      for (const { target, type } of changes ? records.slice(-200) : []) {
        // Of another realm in frames.
        const element = target.nodeType === Node.ELEMENT_NODE ? (target as Element) : target.parentElement;
        if (!changes || !element || element === document.head || element.parentElement === document.head) continue;
        const changed = type === 'attributes' ? changes.elements : changes.contents;
        if (changed.size < 50) changed.add(element);
      }
    });
    world.captureChanges ??= {
      contents: new Set(),
      elements: new Set(),
      known: new WeakMap(),
      moved: new Map(),
      hidden: [],
      endless: new WeakSet(),
      endlessWaits,
      observed: new WeakSet(),
      observer,
    };
    const changes = world.captureChanges;
    for (const root of roots()) {
      if (changes.observed.has(root)) continue;
      changes.observed.add(root);
      changes.observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter });
    }
    return changes;
  }
}
