import { invoke, make, wrap } from '../page-world/wrap.ts';
import { trackedAtMost } from './schedule.ts';

const { StaticRange: Place, Highlight: Places, WeakRef: Weak } = globalThis;
const { highlights } = CSS;
const { set, delete: remove } = Object.getPrototypeOf(highlights) as HighlightRegistry;

const closedRoots: WeakRef<ShadowRoot>[] = [];

/** Records the shadow roots that the page closes: neither the page nor our world has another way to reach them. */
export function rememberClosedRoots(): void {
  wrap(Element.prototype, 'attachShadow', (target, self, args) => {
    const root = invoke(target, self, args) as ShadowRoot;
    if (root.mode === 'closed' && closedRoots.length < trackedAtMost) closedRoots[closedRoots.length] = new Weak(root);
    return root;
  });
}

/** Shows the closed roots as ranges of a highlight while `announce` runs: worlds share only highlights. */
export function showClosedRoots(name: string, announce: () => void): void {
  const places: StaticRange[] = [];
  for (let index = 0; index < closedRoots.length; index += 1) {
    const root = closedRoots[index]?.deref();
    if (!root?.isConnected) continue;
    places[places.length] = new Place({ startContainer: root, startOffset: 0, endContainer: root, endOffset: 0 });
  }
  if (places.length === 0) return;
  invoke(set, highlights, [name, make(Places, places)]);
  announce();
  invoke(remove, highlights, [name]);
}
