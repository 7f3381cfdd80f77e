import { inView } from '../dom/visibility.ts';
import type { Glance } from './glance.ts';

/** How finished a page looks: `loading` if it says so; `thin` if it shows little, or a container is empty. */
export type Impression = 'loading' | 'thin' | 'finished';

/** How many texts, graphics and containers are examined. */
const atMost = { blankTexts: 5_000, texts: 3_000, graphics: 500, containers: 2_000 };

/**
 * A page below both limits shows little: the share of the window's height that is filled, and characters; a graphic counts as 50.
 */
const little = { share: 0.4, characters: 100, ofGraphic: 50 };

const graphicSelector = 'img, svg, canvas, video, iframe, object, embed';

/** Whether the page shows neither text nor images. Ends at the first visible one. */
export function isBlank(glance: Glance): boolean {
  const graphics = glance.all(`${graphicSelector}, input, button, textarea`);
  if (graphics.some((each) => each.clientWidth * each.clientHeight > 100 && glance.isSeen(each))) return false;
  for (const root of glance.roots) {
    const top = root instanceof Document ? (root.body ?? root) : root;
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (
      let node = walker.nextNode(), seen = 0;
      node && seen < atMost.blankTexts;
      node = walker.nextNode(), seen += 1
    ) {
      const parent = node.parentElement;
      if (!node.textContent?.trim() || !parent || parent.matches('script, style, noscript, template')) continue;
      if (glance.isSeen(parent)) return false;
    }
  }
  return true;
}

/** Whether the topmost box at five points is the same: fixed or absolute, as large as the viewport, and nearly empty. */
export function isCovered(): boolean {
  const box = coverAt(0.5, 0.5);
  if (!box) return false;
  const corners = [
    [0.08, 0.08],
    [0.92, 0.08],
    [0.08, 0.92],
    [0.92, 0.92],
  ] as const;
  if (corners.some(([x, y]) => coverAt(x, y) !== box)) return false;
  const text = box.textContent ?? '';
  // A box with more text or images is the content.
  return text.trim().length < 60 && box.querySelectorAll('img, image, video, input, button, a[href]').length < 3;
}

/** Returns the opaque box as large as the viewport that is topmost at a point, in shares of the viewport. */
function coverAt(x: number, y: number): Element | null {
  const { innerWidth: width, innerHeight: height } = window;
  for (let element = document.elementFromPoint(x * width, y * height); element; element = element.parentElement) {
    const { position, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    if (position !== 'fixed' && position !== 'absolute') continue;
    const rect = element.getBoundingClientRect();
    if (rect.width < width * 0.95 || rect.height < height * 0.95) continue;
    const isTransparent = /rgba\(.*, 0(\.[0-4]\d*)?\)|transparent/.test(backgroundColor) && backgroundImage === 'none';
    return isTransparent || Number(opacity) < 0.3 ? null : element;
  }
  return null;
}

/** Estimates how finished the page looks by the texts and graphics in view. */
export function readContent(glance: Glance): Impression {
  const [texts, graphics] = [shownTexts(glance), shownGraphics(glance)];
  const characters = texts.characters + graphics.characters;
  // A page that shows nothing is not finished.
  if (characters === 0) return 'loading';
  const isShort = Math.max(texts.bottom, graphics.bottom) < window.innerHeight * little.share;
  return isShort || characters < little.characters || hasEmptyContainer(glance) ? 'thin' : 'finished';
}

/** How many characters are visible, and how far down the window they reach, CSS pixels. */
interface Shown {
  characters: number;
  bottom: number;
}

function shownTexts(glance: Glance): Shown {
  const { innerHeight: height } = window;
  const shown = { characters: 0, bottom: 0 };
  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let seen = 0; seen < atMost.texts; seen += 1) {
    const node = walker.nextNode();
    if (!node) break;
    if (!node.textContent?.trim() || !node.parentElement || !glance.isSeen(node.parentElement)) continue;
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (rect.width === 0 || rect.top >= height || rect.bottom <= 0) continue;
    shown.characters += node.textContent.trim().length;
    shown.bottom = Math.max(shown.bottom, Math.min(height, rect.bottom));
  }
  return shown;
}

function shownGraphics(glance: Glance): Shown {
  const shown = { characters: 0, bottom: 0 };
  for (const element of glance.all(`${graphicSelector}, image`).slice(0, atMost.graphics)) {
    const rect = element.getBoundingClientRect();
    if (rect.width * rect.height <= 2_000 || !inView(element, rect) || glance.opacityOf(element) < 0.05) continue;
    shown.bottom = Math.max(shown.bottom, Math.min(window.innerHeight, rect.bottom));
    shown.characters += little.ofGraphic;
  }
  return shown;
}

/** Whether a container in view is empty, has the width of content, and is not meant for dialogs or ads. */
function hasEmptyContainer(glance: Glance): boolean {
  const containers = glance.all('main, section, article, ul, ol, tbody, [id], [data-testid]');
  return containers.slice(0, atMost.containers).some((element) => {
    if (element.childElementCount > 0 || element.textContent?.trim()) return false;
    if (!element.matches('div, main, section, article, ul, ol, tbody')) return false;
    const rect = element.getBoundingClientRect();
    if (rect.top >= window.innerHeight || rect.bottom < 0 || rect.width <= window.innerWidth * 0.2) return false;
    const names = `${element.id} ${element.className}`;
    return !/modal|dialog|toast|portal|overlay|tooltip|ads?\b|gtm|root-portal/i.test(names);
  });
}
