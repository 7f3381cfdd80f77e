/// <reference lib="dom" />
import type { Frozen } from './frozen.ts';
import type { WindowLengths } from './window-lengths.ts';

/** See `freezeRules`. */
export type RuleFreezing = ReturnType<typeof freezeRules>;

/** Fixes the lengths and media queries of style rules. Part of `freezePage`. */
export function freezeRules({
  lengths: { lengths, fixed, fixedMedia },
  frozen,
}: {
  lengths: WindowLengths;
  frozen: Frozen;
}) {
  // Each declaration by itself: the text of a whole block loses shorthands with variables that a longhand follows.
  const shorthands = [
    'padding',
    'margin',
    'inset',
    'gap',
    'background',
    'border-radius',
    'font',
    'flex',
    'grid',
    'mask',
  ];
  /** URLs of the sheets that scripts may not read. */
  const unreadable: string[] = [];
  return { unreadable, freezeSheet, freezeStyle };

  function freezeStyle(style: CSSStyleDeclaration): void {
    if (style.cssText.search(lengths) === -1) return;
    for (const name of [...shorthands, ...style]) {
      const before = style.getPropertyValue(name);
      const after = fixed(before);
      if (after === before) continue;
      const priority = style.getPropertyPriority(name);
      style.setProperty(name, after, priority);
      frozen.undo.push(() => style.setProperty(name, before, priority));
    }
  }

  function freezeMedia(media: MediaList): void {
    const before = media.mediaText;
    const after = fixedMedia(before);
    if (after === before) return;
    media.mediaText = after;
    frozen.undo.push(() => {
      media.mediaText = before;
    });
  }

  function freezeSheet(sheet: CSSStyleSheet): void {
    if (sheet.media.length > 0) freezeMedia(sheet.media);
    try {
      for (const rule of sheet.cssRules) freezeRule(rule);
    } catch {
      if (sheet.href) unreadable.push(sheet.href);
    }
  }

  function freezeRule(rule: CSSRule): void {
    if (rule instanceof CSSImportRule) {
      if (rule.media.length > 0) freezeMedia(rule.media);
      if (rule.styleSheet) freezeSheet(rule.styleSheet);
      return;
    }
    if (rule instanceof CSSMediaRule) freezeMedia(rule.media);
    const { style, cssRules } = rule as CSSStyleRule;
    if (style?.getPropertyValue('animation-trigger')) frozen.hasTriggers = true;
    if (style) freezeStyle(style);
    for (const inner of cssRules ?? []) freezeRule(inner);
  }
}
