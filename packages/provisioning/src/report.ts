/** Takes one line for the person who waits: what is being done, or what was found. Never a secret. */
export type Report = (line: string) => void;

/** A part that cannot be had. The message is one sentence that says what is wrong and what to do about it. */
export class ProvisioningError extends Error {
  override name = 'ProvisioningError';
}
