import { z } from 'zod';

/** Names of rules stand in receipts. */
const cmp = z.string().regex(/^[\w .:/&()+-]{1,80}$/);

/** What the consent script says that we act on, each checked: it lives in a hostile page. */
const consentMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init') }),
  z.object({ type: z.literal('eval'), id: z.string().max(100), snippetId: z.string().max(100) }),
  z.object({ type: z.literal('cmpDetected'), cmp }),
  z.object({ type: z.literal('popupFound'), cmp }),
  z.object({ type: z.literal('optOutResult'), cmp, result: z.boolean() }),
  z.object({ type: z.literal('autoconsentDone'), cmp, isCosmetic: z.boolean() }),
  z.object({ type: z.literal('report'), state: z.object({ lifecycle: z.string().max(50) }) }),
]);

export type ConsentMessage = z.infer<typeof consentMessage>;

/** Those of the messages that are of a known form. */
export function readMessages(told: unknown): ConsentMessage[] {
  if (!Array.isArray(told)) return [];
  return told.flatMap((each) => {
    const read = consentMessage.safeParse(each);
    return read.success ? [read.data] : [];
  });
}
