/**
 * `2026-11-20/k7/req_…k7-1.png`: a folder per day, so that operators find old files; within it a folder per end of the id,
 * which is random, so that none grows large; and the attempt, so that two workers never write the same file.
 */
export function fileKey(capture: { id: string; attempt: number; createdAt: Date }, extension: string): string {
  const day = capture.createdAt.toISOString().slice(0, 10);
  return `${day}/${capture.id.slice(-2)}/${capture.id}-${capture.attempt}.${extension}`;
}

/** Also what an interrupted write leaves, on a disk and of the doctor's check (`doctor/….txt`). */
const ownForms = [
  /^\d{4}-\d{2}-\d{2}\/(?<end>[0-9a-z]{2})\/req_[0-9a-z]{24}\k<end>-\d{1,9}\.[a-z]{3,4}(?:\.part-[0-9a-f]{12})?$/,
  /^doctor\/[0-9a-f]{16}\.txt(?:\.part-[0-9a-f]{12})?$/,
];

/**
 * Whether the platform itself may have written a file with this key. Every other file in the store belongs to someone else
 * and is never removed.
 */
export function isOwnKey(key: string): boolean {
  return ownForms.some((form) => form.test(key));
}
