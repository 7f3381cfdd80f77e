/**
 * Keeps the heights that scripts read from the window, and compute sections from, when the viewport grows. Runs in the page's own
 * world, once the page turns out to follow its window: most scripts that show content in view need the real height.
 */
export default function keepWindowHeights(): void {
  keep(window, 'innerHeight', [window]);
  keep(window, 'outerHeight', [window]);
  keep(VisualViewport.prototype, 'height', [window.visualViewport]);
  // Without a doctype, the body's height is the window's.
  const { documentElement, body, compatMode } = document;
  keep(Element.prototype, 'clientHeight', [compatMode === 'BackCompat' ? body : documentElement]);
}

function keep(owner: object, name: string, targets: unknown[]): void {
  const property = Object.getOwnPropertyDescriptor(owner, name);
  const read = property?.get;
  if (!read || !property.configurable) return;
  const kept = new Map(targets.map((target) => [target, Reflect.apply(read, target, [])]));
  const get = function get(this: unknown) {
    return kept.get(this ?? window) ?? Reflect.apply(read, this, []);
  };
  Object.defineProperty(owner, name, { ...property, get });
}
