import { z } from 'zod';
import { absoluteUrl } from '../absolute-url.ts';
import type { ContractForm, EventName } from '../forms/forms.ts';
import { signingSecretFault } from '../forms/signing-secret.ts';
import { checkOrder, idFilter, moment, pageRequest } from './paging.ts';

/** The bodies and queries of webhooks: registration, the connectivity test, the delivery log, retries and replays. */

const receiverUrl = absoluteUrl('https:').meta({
  description: 'Where events are delivered: an HTTPS URL.',
  example: 'https://hooks.example.com/captures',
});

const secret = z
  .string()
  .superRefine((text, context) => {
    const fault = signingSecretFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ description: 'Signing secret: 8 to 255 characters; after a `whsec_` prefix, base64.' });

function eventName(form: ContractForm) {
  return z.enum(form.events.names as [EventName, ...EventName[]]);
}

function eventNames(form: ContractForm) {
  return z
    .array(eventName(form))
    .min(1)
    .refine((names) => new Set(names).size === names.length, { error: 'must not name an event twice' })
    .meta({ description: 'The names of the events.', example: ['capture.completed', 'capture.failed'] });
}

export const endpointRegistration = (form: ContractForm) =>
  z.strictObject({ url: receiverUrl, events: eventNames(form), secret: secret.optional() });

/** A connectivity test of any URL. It sends the first of the given events. */
export const connectivityTest = (form: ContractForm) =>
  z.strictObject({ webhook_url: receiverUrl, events: eventNames(form), secret: secret.optional() });

/** A connectivity test of a registered endpoint, by the first of the given events or of the endpoint's events. */
export const endpointTest = (form: ContractForm) => z.strictObject({ events: eventNames(form).optional() });

export const endpointChange = (form: ContractForm) =>
  z.strictObject({
    url: receiverUrl.optional(),
    events: eventNames(form).optional(),
    status: z
      .enum(['active', 'paused'])
      .optional()
      .meta({ description: 'Pausing holds deliveries; resuming sends the held ones.' }),
  });

export const secretRotation = z.strictObject({ secret: secret.optional() });

const filterFields = (form: ContractForm) => ({
  ...pageRequest('dlv').shape,
  status: z.enum(['pending', 'delivered', 'failed', 'paused']).optional(),
  event: eventName(form).optional().meta({
    description:
      'One request searches 10,000 deliveries: a page may be short or empty, and `next_cursor` continues the search.',
  }),
  webhook_id: idFilter('wh').optional(),
  since: moment.optional(),
  until: moment.optional(),
});

/** The filters of a list of deliveries, which includes `since` and excludes `until`. */
export const deliveryFilter = (form: ContractForm) => z.strictObject(filterFields(form)).superRefine(checkOrder);

export const operatorDeliveryFilter = (form: ContractForm) =>
  z.strictObject({ ...filterFields(form), account_id: idFilter('acc').optional() }).superRefine(checkOrder);

/** Every deployment keeps deliveries for at least 30 days (`DELIVERY_RETENTION_DAYS`). */
export const statisticsQuery = z.strictObject({
  days: z.int().min(1).max(30).default(7).meta({ description: 'How many days, today included.' }),
});

/** The statuses of deliveries that a replay sends again. */
const endedStatus = z.enum(['failed', 'delivered', 'all']);

/** A replay of one endpoint's deliveries, which includes `since` and excludes `until`. */
export const replayRequest = z
  .strictObject({ since: moment, until: moment.optional(), status: endedStatus.default('failed') })
  .superRefine(checkOrder);

export const operatorReplayRequest = z
  .strictObject({
    status: endedStatus,
    since: moment,
    until: moment.optional(),
    account_id: idFilter('acc').optional(),
    webhook_id: idFilter('wh').optional(),
  })
  .superRefine(checkOrder);

/** The statuses that a replay's `status` stands for. */
export function replayedStatuses(status: z.output<typeof endedStatus>): ('failed' | 'delivered')[] {
  return status === 'all' ? ['failed', 'delivered'] : [status];
}
