/** Prints one line for the operator who started the platform: the current step, or a finding. Never contains a secret. */
export type Report = (line: string) => void;

/** A part cannot be provided. The message is one sentence that says what is wrong and how to fix it. */
export class ProvisioningError extends Error {
  override name = 'ProvisioningError';
}
