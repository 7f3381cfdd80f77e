import { elementsAtMost } from '../dom/examined.ts';
import { state } from '../state/page-state.ts';
import type { Lengths } from '../state/tall-page.ts';
import { fixLengths, windowLengths } from './window-lengths.ts';

// Each declaration is written by itself: the text of a whole block loses shorthands with variables that a longhand follows.
const shorthands = ['padding', 'margin', 'inset', 'gap', 'background', 'border-radius', 'font', 'flex', 'grid', 'mask'];

/** Fixes the lengths and media queries of a style sheet. */
export function fixSheet(sheet: CSSStyleSheet, lengths: Lengths): void {
  if (sheet.media.length > 0) fixMedia(sheet.media, lengths);
  try {
    for (const rule of sheet.cssRules) fixRule(rule, lengths);
  } catch {
    if (sheet.href) lengths.unreadable.push(sheet.href);
  }
}

function fixRule(rule: CSSRule, lengths: Lengths): void {
  if (rule instanceof CSSImportRule) {
    if (rule.media.length > 0) fixMedia(rule.media, lengths);
    if (rule.styleSheet) fixSheet(rule.styleSheet, lengths);
    return;
  }
  if (rule instanceof CSSMediaRule) fixMedia(rule.media, lengths);
  const { style, cssRules } = rule as CSSStyleRule;
  if (style?.getPropertyValue('animation-trigger')) lengths.hasTriggers = true;
  if (style) fixStyle(style, lengths);
  for (const inner of cssRules ?? []) fixRule(inner, lengths);
}

/** Fixes the lengths of a rule, or of an inline style. */
export function fixStyle(style: CSSStyleDeclaration, lengths: Lengths): void {
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

function fixMedia(media: MediaList, lengths: Lengths): void {
  const before = media.mediaText;
  const after = fixedMedia(before);
  if (after === before) return;
  media.mediaText = after;
  lengths.undo.push(() => {
    media.mediaText = before;
  });
}

/** Writes the lengths of a text as they are in the visitor's window. */
export function fixed(text: string): string {
  return state.visitor ? fixLengths(text, state.visitor, hasContainers) : text;
}

/** Replaces a media query that depends on the height of the window by its result in the visitor's window. */
export function fixedMedia(query: string): string {
  if (!/height|orientation|aspect-ratio/i.test(query)) return query;
  return matchMedia(query).matches ? 'all' : 'not all';
}

let containers: boolean | undefined;

function hasContainers(): boolean {
  const isContainer = (each: Element) => /size/.test(getComputedStyle(each).getPropertyValue('container-type'));
  containers ??= [...Document.prototype.querySelectorAll.call(document, '*')]
    .slice(0, elementsAtMost)
    .some(isContainer);
  return containers;
}
