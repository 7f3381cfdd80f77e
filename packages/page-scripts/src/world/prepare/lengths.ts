import { styleOf } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import type { Lengths } from '../state/tall-page.ts';
import { fixed, fixedMedia, fixSheet, fixStyle } from './rules.ts';
import { forEachElement } from './visitor-window.ts';
import { fixSheetText, grewWithWindow } from './window-lengths.ts';

/** Fixes everything that depends on the window's height, such as `100vh`, media queries and shares of the height. */
export function recordLengths(): void {
  const { visitor } = state;
  if (!visitor || state.lengths) return;
  const lengths: Lengths = { undo: [], unreadable: [], inline: [], hasTriggers: false };
  state.lengths = lengths;
  for (const { styleSheets, adoptedStyleSheets } of visitor.roots) {
    for (const sheet of [...styleSheets, ...adoptedStyleSheets]) fixSheet(sheet, lengths);
  }
  fixRoots(lengths, visitor.height);
  // Without a doctype, a percentage of the height refers to the window.
  const isQuirky = document.compatMode === 'BackCompat';
  forEachElement((element) => {
    if (element instanceof HTMLElement || element instanceof SVGElement) recordInline(element, lengths);
    if (element instanceof HTMLSourceElement) fixSource(element);
    if (isQuirky && element instanceof HTMLElement) fixShare(element);
  });
}

/** Returns the URLs of the sheets that `recordLengths` could not read, and clears them. */
export function takeUnreadableSheets(): string[] {
  return state.lengths?.unreadable.splice(0) ?? [];
}

/** Does for the text of a style sheet the same as `recordLengths` does for a readable sheet. */
export function fixText(text: string): string {
  return state.lengths ? fixSheetText(text, { fixed, fixedMedia }) : text;
}

function fixRoots(lengths: Lengths, height: number): void {
  const html = document.documentElement;
  for (const root of [html, document.body]) {
    const depends = root === html ? /%|fill-available|stretch/ : /fill-available|stretch/;
    for (const name of ['height', 'min-height']) {
      if (!root || !depends.test(String(root.computedStyleMap().get(name)))) continue;
      const style = styleOf(root);
      const before = style.cssText;
      style.setProperty(name, `${height}px`, 'important');
      lengths.undo.push(() => {
        style.cssText = before;
      });
    }
  }
}

function recordInline(element: HTMLElement | SVGElement, lengths: Lengths): void {
  const style = styleOf(element);
  if (style.length === 0) return;
  const text = style.cssText;
  fixStyle(style, lengths);
  if (/px/.test(text)) lengths.inline.push({ element, text: style.cssText });
}

/** Fixes the media query of an image source. The change is not undone: paper gets the image that was chosen for the screen. */
function fixSource(source: HTMLSourceElement): void {
  const after = fixedMedia(source.media);
  if (after !== source.media) source.media = after;
}

function fixShare(element: HTMLElement): void {
  const hasShare = String(element.computedStyleMap().get('height')).includes('%');
  if (!hasShare && !(element instanceof HTMLImageElement && element.naturalWidth === 0)) return;
  styleOf(element).setProperty('height', `${element.offsetHeight}px`, 'important');
}

/** Restores the inline lengths that scripts have changed to the height of the grown window. */
export function applyLengths(): void {
  const { visitor, lengths } = state;
  if (!visitor || !lengths) return;
  const probe = document.createElement('div');
  for (const { element, text } of lengths.inline) {
    const style = styleOf(element);
    if (style.cssText === text) continue;
    probe.style.cssText = text;
    for (const name of style) {
      const before = probe.style.getPropertyValue(name).trim();
      const after = style.getPropertyValue(name).trim();
      const heights = { before: visitor.height, after: window.innerHeight };
      if (grewWithWindow({ name, before, after }, heights)) style.setProperty(name, before, 'important');
    }
  }
}

/** Restores the lengths of style rules: a sheet of paper has another height than the window. */
export function undoLengths(): void {
  const { lengths } = state;
  if (!lengths) return;
  for (const undo of lengths.undo.reverse()) undo();
  lengths.undo = [];
}
