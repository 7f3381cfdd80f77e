/**
 * `2026-11-20/k7/req_…k7-1.png`: a folder per day, so that operators find old files; within it a folder per end of the id,
 * which is random, so that none grows large; and the attempt, so that two workers never write the same file.
 */
export function fileKey(capture: { id: string; attempt: number; createdAt: Date }, extension: string): string {
  const day = capture.createdAt.toISOString().slice(0, 10);
  return `${day}/${capture.id.slice(-2)}/${capture.id}-${capture.attempt}.${extension}`;
}

const thumbnailSuffix = '.thumbnail.webp';

/** `…/req_…k7-1.png.thumbnail.webp`: a file's thumbnail is stored beside it and removed with it. Null for PDFs and content, which have none. */
export function thumbnailKey(key: string): string | null {
  return !outputForm.test(key) && /\.(png|jpeg|webp)$/.test(key) ? key + thumbnailSuffix : null;
}

/**
 * `…/req_…k7-1.png.output-2.pdf`: the further files of a capture are stored beside its own, which is number 1, and removed
 * with it.
 */
export function outputKey(key: string, number: number, extension: string): string {
  return `${key}.output-${number}.${extension}`;
}

const outputForm = /\.output-\d{1,2}\.[a-z]{3,13}$/;

/** The key of the capture's own file to which a thumbnail or a further output belongs; any other key as it is. */
export function ownFileKey(key: string): string {
  return key.endsWith(thumbnailSuffix) ? key.slice(0, -thumbnailSuffix.length) : key.replace(outputForm, '');
}

/**
 * `html/k7/req_…k7.html`: the page that a client submitted as `html`. Of the id alone, because it is written before the
 * capture has a row. No folder per day: these files go with the end of their capture.
 */
export function htmlKey(captureId: string): string {
  return `html/${captureId.slice(-2)}/${captureId}.html`;
}

/** What an interrupted write appends to a key, on a disk. */
const part = '(?:\\.part-[0-9a-f]{12})?';

const htmlForm = new RegExp(`^html/(?<end>[0-9a-z]{2})/(?<id>req_[0-9a-z]{24}\\k<end>)\\.html${part}$`);

/** Also what an interrupted write leaves, and the doctor's check (`doctor/….txt`). */
const ownForms = [
  new RegExp(
    `^\\d{4}-\\d{2}-\\d{2}/(?<end>[0-9a-z]{2})/req_[0-9a-z]{24}\\k<end>-\\d{1,9}\\.[a-z]{3,8}(?:\\.thumbnail\\.webp|\\.output-\\d{1,2}\\.[a-z]{3,13})?${part}$`,
  ),
  htmlForm,
  new RegExp(`^doctor/[0-9a-f]{16}\\.txt${part}$`),
];

/**
 * Whether the platform itself may have written a file with this key. Every other file in the store belongs to someone else
 * and is never removed.
 */
export function isOwnKey(key: string): boolean {
  return ownForms.some((form) => form.test(key));
}

/** The id of the capture whose `html` is, or was being written, under this key; null for every other key. */
export function captureOfHtml(key: string): string | null {
  return htmlForm.exec(key)?.groups?.id ?? null;
}
