/** How Puppeteer draws the left half, as scripts and services commonly do. */
export type Method =
  /** `screenshot({ fullPage: true })` after the load event. */
  | 'full page'
  /** `full page` with `captureBeyondViewport: false`: the window grows to the height of the page. */
  | 'tall window'
  /** The page is scrolled by one window at a time; the screenshots are joined. */
  | 'stitched'
  /** As `full page`, in a browser that draws with a GPU, as on desktops. The GPU is emulated, so any machine has it. */
  | 'gpu'
  /** As `full page`, on a machine with one font family. */
  | 'one font';

/** A failure, and the case that shows it. */
export interface Pair {
  /** The name of the file: `tall-pages` becomes `compared-tall-pages.webp`. */
  name: string;
  /** The name of a case of the corpus. */
  case: string;
  method: Method;
  /** The rows that are shown, CSS pixels. A half that ends earlier is shown to its end. */
  rows: readonly [from: number, to: number];
}

/** The images of docs/captures.md, in their order. */
export const pairs: readonly Pair[] = [
  { name: 'tall-pages', case: 'compared-tall', method: 'gpu', rows: [7_840, 8_910] },
  { name: 'sticky-headers', case: 'compared-sticky', method: 'stitched', rows: [0, 1_372] },
  { name: 'vh-heroes', case: 'compared-hero', method: 'tall window', rows: [0, 1_440] },
  { name: 'lazy-images', case: 'compared-lazy', method: 'full page', rows: [0, 1_260] },
  { name: 'cookie-banners', case: 'compared-consent', method: 'full page', rows: [0, 900] },
  { name: 'iframes', case: 'compared-frames', method: 'full page', rows: [850, 1_948] },
  { name: 'fonts', case: 'compared-fonts', method: 'one font', rows: [0, 900] },
  { name: 'late-data', case: 'compared-late', method: 'full page', rows: [0, 700] },
  { name: 'sections-that-fade-in', case: 'compared-fades', method: 'full page', rows: [0, 1_180] },
  { name: 'opening-screens', case: 'compared-opening', method: 'full page', rows: [0, 536] },
  { name: 'bars-at-the-bottom', case: 'compared-bar', method: 'full page', rows: [0, 1_700] },
  { name: 'fixed-backgrounds', case: 'compared-backdrop', method: 'full page', rows: [0, 1_130] },
  { name: 'feeds', case: 'compared-feed', method: 'full page', rows: [0, 1_240] },
];
