/** Why a request is not taken for one of ours. All but the last two say that its sender proved nothing: answer 401. */
export type WebhookFault =
  /** A header that must be there is not. */
  | 'missing_header'
  /** A header has another shape than ours have: it was made by somebody else, doubled or cut. */
  | 'malformed_header'
  /** Signed longer ago than the tolerance: a replay, or a clock of yours that runs ahead. */
  | 'timestamp_too_old'
  /** Signed later than the tolerance allows: your clock is behind. */
  | 'timestamp_in_future'
  /** None of the signatures was made over this body with one of the secrets. */
  | 'no_matching_signature'
  /** Signed by us, yet the body is no event in JSON. */
  | 'not_json'
  /** Signed by us, and an event that this version of the SDK does not know: answer 2xx and ignore it. */
  | 'unknown_event';

/** A webhook that could not be verified. The message is for a log; it holds no secret and no signature. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
