/**
 * Returns a key such as `2026-11-20/k7/req_…k7-1.png`. A folder per day lets operators find old files. Each day has a folder per
 * end of the id, which is random, so that no folder grows large. The number of the attempt keeps two workers from writing the
 * same file.
 */
export function fileKey(capture: { id: string; attempt: number; createdAt: Date }, extension: string): string {
  const day = capture.createdAt.toISOString().slice(0, 10);
  return `${day}/${capture.id.slice(-2)}/${capture.id}-${capture.attempt}.${extension}`;
}

const thumbnailSuffix = '.thumbnail.webp';

/**
 * Returns a key such as `…/req_…k7-1.png.thumbnail.webp`: a thumbnail is stored next to its file and removed with it. Null for
 * PDFs and content, which have no thumbnail.
 */
export function thumbnailKey(key: string): string | null {
  return !outputForm.test(key) && /\.(png|jpeg|webp)$/.test(key) ? key + thumbnailSuffix : null;
}

/**
 * Returns a key such as `…/req_…k7-1.png.output-2.pdf`: the further files of a capture are stored next to its main file, which is
 * number 1, and removed with it.
 */
export function outputKey(key: string, number: number, extension: string): string {
  return `${key}.output-${number}.${extension}`;
}

const outputForm = /\.output-\d{1,2}\.[a-z]{3,13}$/;

/** The key of the main file to which a thumbnail or a further output belongs; any other key is returned unchanged. */
export function ownFileKey(key: string): string {
  return key.endsWith(thumbnailSuffix) ? key.slice(0, -thumbnailSuffix.length) : key.replace(outputForm, '');
}

/**
 * Returns a key such as `html/k7/req_…k7.html`, for the page that a client submitted as `html`. The key depends only on the id,
 * because the file is written before the capture has a row. There is no folder per day, because the file is removed when the
 * capture ends.
 */
export function htmlKey(captureId: string): string {
  return `html/${captureId.slice(-2)}/${captureId}.html`;
}

/** The suffix that an interrupted write to a disk leaves on a key. */
const part = '(?:\\.part-[0-9a-f]{12})?';

const htmlForm = new RegExp(`^html/(?<end>[0-9a-z]{2})/(?<id>req_[0-9a-z]{24}\\k<end>)\\.html${part}$`);

/** The forms of our keys, including the keys that an interrupted write leaves and the key of the doctor's check (`doctor/….txt`). */
const ownForms = [
  new RegExp(
    `^\\d{4}-\\d{2}-\\d{2}/(?<end>[0-9a-z]{2})/req_[0-9a-z]{24}\\k<end>-\\d{1,9}\\.[a-z]{3,8}(?:\\.thumbnail\\.webp|\\.output-\\d{1,2}\\.[a-z]{3,13})?${part}$`,
  ),
  htmlForm,
  new RegExp(`^doctor/[0-9a-f]{16}\\.txt${part}$`),
];

/** Whether the platform may have written a file with this key. Other programs own all other files, which are never removed. */
export function isOwnKey(key: string): boolean {
  return ownForms.some((form) => form.test(key));
}

/** The id of the capture whose `html` has this key or was being written to it; null for every other key. */
export function captureOfHtml(key: string): string | null {
  return htmlForm.exec(key)?.groups?.id ?? null;
}
