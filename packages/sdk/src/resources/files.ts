import { CapturedFile } from '../captured-file.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** Files by their signed links. */
export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A capture's file as a stream. The link needs no key, and none is sent. @param fileUrl a record's `file_url`. */
  async download(fileUrl: string, request?: RequestOptions): Promise<CapturedFile> {
    return new CapturedFile(await this.#transport.file(fileUrl, request));
  }
}
