/**
 * SQL: whether a delivery `d` has an attempt under way. One that is claimed but not begun waits: without its lease the
 * claim cannot be begun any more.
 *
 * @param at the parameter that holds the time, such as `$2`.
 */
export const underWay = (at: string) =>
  `(d.status = 'pending' AND coalesce(d.lease_until > ${at}, false) AND d.begun_attempt = d.attempt)`;
