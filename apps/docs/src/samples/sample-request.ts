/** What a sample does with the response. */
export type Output = 'json' | 'text' | 'stream' | 'file' | 'nothing';

/** A request that samples are written for. */
export interface SampleRequest {
  method: string;
  /** Without its query. */
  url: string;
  query: Readonly<Record<string, string>>;
  /** The header that authenticates: its value is `prefix` and the environment variable `variable`. */
  credential?: { header: string; prefix: string; variable: string };
  /** Sent as JSON. */
  body?: unknown;
  output: Output;
  /** The name of the file that a response with bytes is saved as. */
  file: string;
}

/** Seconds after which a sample stops waiting: more than the longest capture takes. */
export const timeoutS = 150;

export const hasQuery = ({ query }: SampleRequest): boolean => Object.keys(query).length > 0;
