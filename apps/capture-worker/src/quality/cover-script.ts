/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

export interface CoverFacts {
  /** What covers most of the view and is no part of the content; null if nothing does. */
  cover: string | null;
}

/**
 * Looks for something that covers most of the view: a preloader, the backdrop of a dialog, a cookie wall. Hit tests on a grid
 * name the uppermost box at each point; a box is a cover if it is fixed, or spans the page, and content lies beneath it. A
 * layer behind the content is not hit, or has nothing beneath it.
 *
 * @param share the part of the view that a cover takes, 0 to 1.
 */
export function findCover({ share }: { share: number }): CoverFacts {
  const [columns, rows] = [9, 7];
  const [width, height] = [innerWidth, Math.min(innerHeight, 4_320)];
  const names =
    /(^|[^a-z])(pre-?load(er|ing)?|page-?load(er|ing)?|load(er|ing)(-?(screen|mask|overlay|wrapper))?|spinner|splash(-?screen)?|overlay|backdrop|modal|dialog|popup|cookie|consent|gdpr|cmp|paywall|interstitial|newsletter|lightbox|age-?gate|curtain|scrim|blocker)/i;

  const parentOf = (element: Element): Element | null =>
    element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
  const isWithin = (element: Element, other: Element): boolean => {
    for (let part: Element | null = element; part; part = parentOf(part)) if (part === other) return true;
    return false;
  };
  /** The elements at a point, uppermost first, with those in shadow roots. */
  const elementsAt = (x: number, y: number, root: Document | ShadowRoot = document): Element[] =>
    root
      .elementsFromPoint(x, y)
      .filter((element) => element.getRootNode() === root)
      .flatMap((element) => (element.shadowRoot ? [...elementsAt(x, y, element.shadowRoot), element] : [element]));

  const labelOf = (element: Element) =>
    `${element.id} ${element.getAttribute('class') ?? ''} ${element.getAttribute('role') ?? ''} ${element.localName}`.slice(
      0,
      500,
    );
  const alphaOf = (color: string) => {
    const parts = color.match(/[\d.]+/g) ?? [];
    return parts.length > 3 ? Number(parts[3]) : parts.length === 3 ? 1 : 0;
  };

  /** Whether it draws something over what is beneath it. */
  function isPainted(element: Element): boolean {
    let opacity = 1;
    for (let part: Element | null = element; part; part = parentOf(part)) {
      opacity *= Number(getComputedStyle(part).opacity);
    }
    const style = getComputedStyle(element);
    const filter = style.backdropFilter !== 'none' && style.backdropFilter !== '';
    const image = style.backgroundImage !== 'none' && style.mixBlendMode === 'normal';
    return opacity > 0.1 && (filter || image || alphaOf(style.backgroundColor) > 0.1);
  }

  function covers(element: Element): boolean {
    const box = element.getBoundingClientRect();
    const w = Math.min(box.right, width) - Math.max(box.left, 0);
    const h = Math.min(box.bottom, height) - Math.max(box.top, 0);
    return w > 0 && h > 0 && (w * h) / (width * height) >= share;
  }

  /** Whether it lies over the page: in the top layer, fixed, or placed in the page itself and not in a part of it. */
  function isOver(element: Element): boolean {
    if (element === document.documentElement || element === document.body) return false;
    const { position } = getComputedStyle(element);
    if (position === 'fixed') return true;
    if (position !== 'absolute') return false;
    const parent = (element as HTMLElement).offsetParent;
    return parent === null || parent === document.body;
  }

  function hasContent(element: Element): boolean {
    if (/^(img|canvas|video|svg|iframe|input|button)$/.test(element.localName)) return true;
    for (const node of element.childNodes) if (node.nodeType === 3 && node.nodeValue?.trim()) return true;
    return false;
  }

  /** Whether it hides all else, and holds what a page holds: a route that an application draws in a layer. */
  function isPage(element: Element): boolean {
    const walls = /cookie|consent|gdpr|cmp|paywall|newsletter|age-?gate|preload|splash|spinner|popup/i;
    const box = element.getBoundingClientRect();
    const isFull = box.left <= 0 && box.top <= 0 && box.right >= width * 0.98 && box.bottom >= height * 0.98;
    if (!isFull || alphaOf(getComputedStyle(element).backgroundColor) < 1 || walls.test(labelOf(element))) return false;
    if (element.matches('[aria-modal="true"], [role$="dialog"]') || !element.querySelector('h1')) return false;
    if (element.querySelector('input:not([type="search"], [type="checkbox"], [type="hidden"])')) return false;
    const isLarge = (media: Element) => {
      const { width: w, height: h } = media.getBoundingClientRect();
      return w * h > width * height * 0.1;
    };
    return (
      [...element.querySelectorAll('img, video, canvas')].some(isLarge) || (element.textContent ?? '').length > 600
    );
  }

  for (const dialog of document.querySelectorAll('dialog:modal')) {
    // A hidden one has no backdrop, although it is still modal.
    if (!dialog.checkVisibility()) continue;
    const style = getComputedStyle(dialog, '::backdrop');
    const filter = style.backdropFilter !== 'none' && style.backdropFilter !== '';
    if (style.display !== 'none' && (filter || alphaOf(style.backgroundColor) > 0.05 || covers(dialog))) {
      return { cover: labelOf(dialog) };
    }
  }

  const hits = new Map<Element, { points: number; beneath: number }>();
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const stack = elementsAt((width * (column + 0.5)) / columns, (height * (row + 0.5)) / rows);
      let cover: Element | null = stack[0] ?? null;
      while (cover && !(isOver(cover) && covers(cover))) cover = parentOf(cover);
      if (!cover) continue;
      const found = hits.get(cover) ?? { points: 0, beneath: 0 };
      found.points += 1;
      const sibling = `${cover.localName}.${cover.getAttribute('class')}`;
      const isBeneath = stack.slice(0, 30).some((element) => {
        if (!cover || isWithin(element, cover) || isWithin(cover, element) || !hasContent(element)) return false;
        // Slides and pages of an application lie over each other, and look alike.
        const parent = parentOf(cover);
        let branch: Element = element;
        for (let above = parentOf(branch); above && above !== parent; above = parentOf(branch)) branch = above;
        return `${branch.localName}.${branch.getAttribute('class')}` !== sibling;
      });
      if (isBeneath) found.beneath += 1;
      hits.set(cover, found);
    }
  }
  for (const [element, { points, beneath }] of hits) {
    if (points < columns * rows * share) continue;
    const text = (element.textContent ?? '').length;
    const isNamed = names.test(labelOf(element)) || element.getAttribute('aria-modal') === 'true';
    const parts = [element, ...[...element.querySelectorAll('*')].slice(0, 50).filter(covers)];
    if (!parts.some(isPainted) || isPage(element)) continue;
    const others = (document.body?.textContent ?? '').length - text;
    // Content lies beneath; or there is nothing else to see, and the box says that it is a preloader.
    if (beneath >= 3 && (isNamed || text < others)) return { cover: labelOf(element) };
    if (isNamed && text < 200 && !element.querySelector('form, article, main, table'))
      return { cover: labelOf(element) };
  }
  // Hit tests do not see boxes without pointer events.
  for (const element of [...(document.body?.querySelectorAll(':scope > *, :scope > * > *') ?? [])].slice(0, 300)) {
    const style = getComputedStyle(element);
    if (style.pointerEvents !== 'none' || !isOver(element) || !covers(element)) continue;
    const isAbove = Number(style.zIndex) > 0 && Number(style.opacity) > 0.5 && style.visibility === 'visible';
    const isOpaque = alphaOf(style.backgroundColor) > 0.5 && style.mixBlendMode === 'normal';
    if (isAbove && isOpaque && names.test(labelOf(element))) return { cover: labelOf(element) };
  }
  return { cover: null };
}
