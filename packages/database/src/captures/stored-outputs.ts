import type { CaptureType, CompletedOutput, OutputKind } from '@capture/contract/events/events';

/** Returns the signed link to a file of a capture: the main file, or a further output by its number, which begins at 2. */
export type FileUrlOf = (file: { captureId: string; format: string; output?: number; expiresAt: Date }) => string;

/** A further file of a capture in the capture's row. It is stored next to the main file and removed with it. */
export interface StoredOutput {
  name: string;
  kind: OutputKind;
  format: string;
  /** The size in bytes. */
  size: number;
  /** The storage key. */
  key: string;
  /** The width in pixels; absent for files without a size in pixels. */
  width?: number;
  height?: number;
}

/** A capture with its main file. */
interface CaptureWithFile {
  id: string;
  type: CaptureType;
  format: string;
  width: number;
  height: number;
  fileSize: number;
  expiresAt: Date;
}

/** Lists all files of a capture as clients see them, the main file first. */
export function completedOutputs(
  fileUrlOf: FileUrlOf,
  { id, type, format, width, height, fileSize, expiresAt }: CaptureWithFile,
  outputs: readonly StoredOutput[] | null | undefined,
): CompletedOutput[] {
  // Content that was read from a page is named by its format and has no size in pixels.
  const kind = type === 'content' ? (format as OutputKind) : type;
  const own = {
    name: kind,
    kind,
    format,
    file_url: fileUrlOf({ captureId: id, format, expiresAt }),
    file_size: fileSize,
  };
  const further = (outputs ?? []).map((output, index) => ({
    name: output.name,
    kind: output.kind,
    format: output.format,
    file_url: fileUrlOf({ captureId: id, format: output.format, output: index + 2, expiresAt }),
    file_size: output.size,
    ...(output.width !== undefined && { width: output.width }),
    ...(output.height !== undefined && { height: output.height }),
  }));
  return [{ ...own, ...(type !== 'content' && { width, height }) }, ...further];
}

/** SQL: the keys of a row's outputs, as an array. */
export const outputKeysIn = (outputs: string) =>
  `ARRAY(SELECT jsonb_array_elements(coalesce(${outputs}, '[]'))->>'key')`;
