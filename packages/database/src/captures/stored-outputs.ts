import type { CaptureType, CompletedOutput, OutputKind } from '@capture/contract/events/events';

/** Returns the signed link to a file of a capture: its own, or another output by its number from 2. */
export type FileUrlOf = (file: { captureId: string; format: string; output?: number; expiresAt: Date }) => string;

/** A further file of a capture, as the capture's row has it. Stored beside the capture's own file and removed with it. */
export interface StoredOutput {
  name: string;
  kind: OutputKind;
  format: string;
  /** Bytes. */
  size: number;
  /** Its storage key. */
  key: string;
  /** Pixels; absent where it has none. */
  width?: number;
  height?: number;
}

/** A capture with its own file. */
interface CaptureWithFile {
  id: string;
  type: CaptureType;
  format: string;
  width: number;
  height: number;
  fileSize: number;
  expiresAt: Date;
}

/** All files of a capture as clients see them, its own first. */
export function completedOutputs(
  fileUrlOf: FileUrlOf,
  { id, type, format, width, height, fileSize, expiresAt }: CaptureWithFile,
  outputs: readonly StoredOutput[] | null | undefined,
): CompletedOutput[] {
  // What is read of a page is named by its format, and has no size in pixels.
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
