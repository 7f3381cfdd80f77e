/**
 * What requests take of a processor, in the gateway and in Postgres, milliseconds. A look-up takes 2, a list 4, a capture 6,
 * and a body of 8 MB that is refused 7. Parsing and checking a body of 2 MB takes 22, a batch of 1,000 items 100 and 85, and
 * their cancellation 80. Reading and writing a record of 3 MB takes 40. A delivery that is replayed or retried is claimed, sent and recorded.
 */
export const costs = {
  request: 4,
  refusedBody: 8,
  perMegabyte: 10,
  perMegabyteSent: 13,
  perItem: 0.2,
  perCancelledItem: 0.1,
  perDelivery: 4,
};
