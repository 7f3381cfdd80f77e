import type { Lengths } from '../state/tall-page.ts';
import { fixed, fixedMedia } from './fixed.ts';
import { windowLengths } from './window-lengths.ts';

// Each declaration by itself: the text of a whole block loses shorthands with variables that a longhand follows.
const shorthands = ['padding', 'margin', 'inset', 'gap', 'background', 'border-radius', 'font', 'flex', 'grid', 'mask'];

/** Fixes the lengths and media queries of a style sheet. */
export function freezeSheet(sheet: CSSStyleSheet, lengths: Lengths): void {
  if (sheet.media.length > 0) freezeMedia(sheet.media, lengths);
  try {
    for (const rule of sheet.cssRules) freezeRule(rule, lengths);
  } catch {
    if (sheet.href) lengths.unreadable.push(sheet.href);
  }
}

function freezeRule(rule: CSSRule, lengths: Lengths): void {
  if (rule instanceof CSSImportRule) {
    if (rule.media.length > 0) freezeMedia(rule.media, lengths);
    if (rule.styleSheet) freezeSheet(rule.styleSheet, lengths);
    return;
  }
  if (rule instanceof CSSMediaRule) freezeMedia(rule.media, lengths);
  const { style, cssRules } = rule as CSSStyleRule;
  if (style?.getPropertyValue('animation-trigger')) lengths.hasTriggers = true;
  if (style) freezeStyle(style, lengths);
  for (const inner of cssRules ?? []) freezeRule(inner, lengths);
}

/** Fixes the lengths of a rule, or of an inline style. */
export function freezeStyle(style: CSSStyleDeclaration, lengths: Lengths): void {
  if (style.cssText.search(windowLengths) === -1) return;
  for (const name of [...shorthands, ...style]) {
    const before = style.getPropertyValue(name);
    const after = fixed(before);
    if (after === before) continue;
    const priority = style.getPropertyPriority(name);
    style.setProperty(name, after, priority);
    lengths.undo.push(() => style.setProperty(name, before, priority));
  }
}

function freezeMedia(media: MediaList, lengths: Lengths): void {
  const before = media.mediaText;
  const after = fixedMedia(before);
  if (after === before) return;
  media.mediaText = after;
  lengths.undo.push(() => {
    media.mediaText = before;
  });
}
