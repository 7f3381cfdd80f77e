/** How a sample handles the response. */
export type Output = 'json' | 'text' | 'stream' | 'file' | 'nothing';

/** A request that samples send. */
export interface SampleRequest {
  method: string;
  /** The URL without its query. */
  url: string;
  query: Readonly<Record<string, string>>;
  /** The header that authenticates the request: its value is `prefix` and the environment variable `variable`. */
  credential?: { header: string; prefix: string; variable: string };
  /** The body, which is sent as JSON. */
  body?: unknown;
  output: Output;
  /** The name of the file in which a sample saves a response of bytes. */
  file: string;
}

/** Seconds after which a sample stops waiting: the longest capture takes less. */
export const timeoutS = 150;

export const hasQuery = ({ query }: SampleRequest): boolean => Object.keys(query).length > 0;
