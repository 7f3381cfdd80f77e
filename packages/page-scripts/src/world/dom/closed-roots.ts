/**
 * The closed shadow roots of a document. Only the page's own world can reach them: `trackWork` sends them as the ranges of a
 * highlight, because highlights are the one kind of object that worlds share.
 *
 * @param workEvent the event that asks for the page's scheduled work.
 */
export function closedRootsOf(root: Document, workEvent: string): ShadowRoot[] {
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
