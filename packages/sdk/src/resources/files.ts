import { CapturedFile } from '../captured-file.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** Files by their signed URLs. */
export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Streams the file of a capture. The URL needs no key, and none is sent. @param fileUrl `file_url` of a record. */
  async download(fileUrl: string, request?: RequestOptions): Promise<CapturedFile> {
    return new CapturedFile(await this.#transport.file(fileUrl, request));
  }
}
