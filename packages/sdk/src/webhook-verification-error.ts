/** The reason of a rejection. For all but the last two, the sender is not authenticated: respond with 401. */
export type WebhookFault =
  /** A required header is missing. */
  | 'missing_header'
  /** A header does not have our format: it was forged, duplicated or truncated. */
  | 'malformed_header'
  /** The webhook was signed longer ago than the tolerance: it is a replay, or your clock is ahead. */
  | 'timestamp_too_old'
  /** The webhook was signed later than the tolerance allows: your clock is behind. */
  | 'timestamp_in_future'
  /** No signature matches this body with any of the secrets. */
  | 'no_matching_signature'
  /** The service signed the body, but the body is not JSON. */
  | 'not_json'
  /** The service signed an event that this version of the SDK does not know: respond with 2xx and ignore the event. */
  | 'unknown_event';

/** A webhook that could not be verified. The message is safe to log: it contains no secret and no signature. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
