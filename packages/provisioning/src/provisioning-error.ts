/** Prints one line for the operator who started the platform: what is being done, or what was found. Never a secret. */
export type Report = (line: string) => void;

/** A part that cannot be provided. The message is one sentence: what is wrong and how to fix it. */
export class ProvisioningError extends Error {
  override name = 'ProvisioningError';
}
