import type { acceptance, CaptureRecord } from '@capture/contract/api/responses';
import type { Response } from 'express';
import type { z } from 'zod';

/** The response to a request that does not wait for its capture. */
export type Acceptance = z.output<typeof acceptance>;

/** How results look: in this service's format, or as clients of another service expect them. */
export interface ResultView {
  sendRecord(res: Response, record: CaptureRecord): void;
  sendAcceptance(res: Response, acceptance: Acceptance): void;
  /** The name of the further output that is sent in place of the capture's own file. */
  output?: string;
  /** Sets further headers of a file. */
  setFileHeaders?(res: Response, record: CaptureRecord): void;
}

export const ownView: ResultView = {
  sendRecord: (res, record) => void res.json(record),
  sendAcceptance: (res, accepted) => void res.status(202).json(accepted),
};
