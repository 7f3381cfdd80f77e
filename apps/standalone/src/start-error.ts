/** Why the platform cannot start, in one sentence that also says how to fix the problem. */
export class StartError extends Error {
  override name = 'StartError';
}
