/** Font sizes of the title, CSS pixels, and the lines that the title and the description may have, by the layout of the card. */
const layouts = {
  inset: { largest: 58, smallest: 38, lines: 5, linesWithText: 5, textLines: 4 },
  banner: { largest: 60, smallest: 38, lines: 2, linesWithText: 2, textLines: 3 },
  beside: { largest: 64, smallest: 40, lines: 5, linesWithText: 4, textLines: 3 },
  plain: { largest: 84, smallest: 44, lines: 4, linesWithText: 3, textLines: 3 },
};

type Layout = keyof typeof layouts;

/**
 * Lays out a card with the images that have loaded, and with its text as large as the text fits.
 *
 * @param limits.pixels images with more pixels are left out: they would be decoded in full only to be drawn small.
 */
export function fitCard(limits: { pixels: number }): void {
  const card = document.querySelector<HTMLElement>('.card');
  const title = document.querySelector<HTMLElement>('.title');
  const text = document.querySelector<HTMLElement>('.text');
  if (!card || !title) return;
  const layout = showImage(card, limits.pixels);
  showIcon(card, limits.pixels);
  fitTitle(title, layout, text !== null);
  cutText(title);
  if (text) fitDescription(text, layouts[layout].textLines);
}

/** Smaller images are logos or tracking pixels. */
function showImage(card: HTMLElement, mostPixels: number): Layout {
  const size = imageSize(document.querySelector<HTMLImageElement>('.image img'), mostPixels);
  if (!size || size.width < 200 || size.height < 100) return 'plain';
  const ratio = size.width / size.height;
  const layout = ratio > 2.6 ? 'banner' : ratio > 1.35 ? 'inset' : 'beside';
  card.classList.add('has-image', layout);
  return layout;
}

function showIcon(card: HTMLElement, mostPixels: number): void {
  const icon = document.querySelector<HTMLImageElement>('.icon img');
  const size = imageSize(icon, mostPixels);
  if (!icon || !size || size.width < 16 || size.width > size.height * 2) return;
  card.classList.add('has-icon');
  // An icon of 16 pixels that is scaled up three times is blurred.
  if (size.width < 48) icon.classList.add('small');
}

function imageSize(image: HTMLImageElement | null, mostPixels: number): { width: number; height: number } | null {
  if (!image?.complete) return null;
  const { naturalWidth: width, naturalHeight: height } = image;
  return width * height > 0 && width * height <= mostPixels ? { width, height } : null;
}

function fitTitle(title: HTMLElement, layout: Layout, hasText: boolean): void {
  const { largest, smallest, lines: alone, linesWithText } = layouts[layout];
  const lines = hasText ? linesWithText : alone;
  title.style.setProperty('--lines', String(lines));
  // Scripts whose lines are taller get no more room than Latin.
  const room = lines * largest * 1.17;
  const fits = () => !isTooLong(title) && title.clientHeight <= room && title.scrollWidth <= title.clientWidth;
  let px = largest;
  for (; px > smallest; px -= 2) {
    title.style.fontSize = `${px}px`;
    if (fits()) break;
  }
  title.style.fontSize = `${px}px`;
  if (fits()) return;
  // A word longer than a line at the smallest size is broken; then the title may be larger.
  title.classList.add('broken');
  for (px = largest; px > smallest && !fits(); px -= 2) title.style.fontSize = `${px}px`;
}

/** The description gets the remaining space; without space for a line it goes. */
function fitDescription(text: HTMLElement, lines: number): void {
  const main = document.querySelector<HTMLElement>('.main');
  if (!main) return;
  for (let rows = lines; rows > 0; rows -= 1) {
    text.style.setProperty('--lines', String(rows));
    if (main.scrollHeight > main.clientHeight) continue;
    cutText(text);
    return;
  }
  text.remove();
}

function isTooLong(element: HTMLElement): boolean {
  return element.scrollHeight > element.clientHeight + 2;
}

/**
 * Cuts text that is too long, after a word if the text has words: of a line that is only clamped, the tops of letters would
 * show.
 */
function cutText(element: HTMLElement): void {
  dropParts(element, (element.textContent ?? '').split(' '), ' ', 3);
  const rest = (element.textContent ?? '').replace(/…$/u, '');
  const letters = Array.from(new Intl.Segmenter().segment(rest), ({ segment }) => segment);
  dropParts(element, letters, '', 1);
}

function dropParts(element: HTMLElement, parts: string[], separator: string, fewest: number): void {
  while (parts.length > fewest && isTooLong(element)) {
    parts.pop();
    element.textContent = `${parts.join(separator).replace(/[\s,.;:–—-]+$/u, '')}…`;
  }
}
