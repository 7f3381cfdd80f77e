/** Finds the ancestor, from `parent` on, that holds a fixed element in place of the window, or cuts it; null if there is none. */
export function holderOf(parent: Element | null): { holder: Element; cuts: boolean } | null {
  for (let each = parent; each && each !== document.documentElement; each = each.parentElement) {
    const style = getComputedStyle(each);
    const holds = [style.transform, style.translate, style.scale, style.rotate, style.filter, style.perspective];
    const isHeld =
      [...holds, style.backdropFilter].some((value) => value && value !== 'none') ||
      /transform|filter|perspective/.test(style.willChange) ||
      /paint|layout|strict|content/.test(style.contain);
    if (isHeld) return { holder: each, cuts: false };
    if (style.clipPath !== 'none' || style.clip !== 'auto') return { holder: each, cuts: true };
  }
  return null;
}

/** Whether a fixed element follows another element, wherever that element is. */
export function isAnchored(style: CSSStyleDeclaration): boolean {
  return /^--/.test(style.getPropertyValue('position-anchor'));
}
