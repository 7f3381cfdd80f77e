/** Why the platform does not start, in one sentence that also says what to do. */
export class StartError extends Error {
  override name = 'StartError';
}
