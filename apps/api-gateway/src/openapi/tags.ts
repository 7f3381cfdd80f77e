/** The parts that the document is divided into, in this order. */
export const tags = {
  Captures: 'Screenshots, PDFs and OG images of web pages, one by one.',
  Batches: 'Many captures as one request.',
  Webhooks: 'Being told of captures that ended.',
  Account: 'The account of a key, its keys and its secrets.',
  Operator: 'For whoever runs the service, with the operator key.',
  Service: 'The service itself.',
} as const;
