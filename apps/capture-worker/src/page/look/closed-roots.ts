/// <reference lib="dom" />

/** See `closedRoots`. */
export type ClosedRoots = ReturnType<typeof closedRoots>;

/** Finds closed shadow roots: only the page's own world can reach them; see `trackWork`. A part of scripts. */
export function closedRoots({ input: { workEvent } }: { input: { workEvent: string } }) {
  return { closedRootsOf };

  function closedRootsOf(root: Document): ShadowRoot[] {
    const found: ShadowRoot[] = [];
    const read = () => {
      const { highlights } = (root.defaultView as typeof globalThis | null)?.CSS ?? {};
      for (const range of highlights?.get(workEvent) ?? []) found.push(range.startContainer as ShadowRoot);
    };
    root.addEventListener(`${workEvent}-roots`, read, { once: true });
    root.dispatchEvent(new CustomEvent(workEvent, { detail: 'roots' }));
    root.removeEventListener(`${workEvent}-roots`, read);
    return found;
  }
}
