/** Why the platform cannot start: one sentence, which also says how to fix it. */
export class StartError extends Error {
  override name = 'StartError';
}
