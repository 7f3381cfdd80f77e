import { pageRequest } from '@capture/contract/api/paging';
import { pageOfRows } from '@capture/contract/api/responses';
import {
  connectivityTest,
  deliveryFilter,
  endpointChange,
  endpointRegistration,
  endpointTest,
  replayRequest,
  secretRotation,
} from '@capture/contract/api/webhook-requests';
import {
  delivery,
  deliveryWithAttempts,
  endpoint,
  registeredEndpoint,
  replayed,
  testOutcome,
} from '@capture/contract/api/webhook-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import { z } from 'zod';
import type { Operation, Operations } from './operation.ts';

/** A form in which nobody registers anything has the connectivity test alone. */
export function webhookOperations(form: ContractForm): Operations {
  return form.webhooks.registration ? registrationOperations(form) : { 'POST /api/v1/webhooks': testOperation(form) };
}

const testExample = { webhook_url: 'https://hooks.example.com/captures', events: ['capture.completed'] };

function testOperation(form: ContractForm): Operation {
  return {
    id: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Test whether an endpoint can be reached',
    description:
      'Posts the first of `events` with sample data, signed, and reports whether the endpoint answered 2xx. It stores nothing and subscribes nothing. Without `secret` the account’s signing secret signs.',
    body: { schema: connectivityTest(form), example: testExample, required: true },
    answers: { 200: { description: 'What came of it.', json: testOutcome } },
  };
}

function registrationOperations(form: ContractForm): Operations {
  const registration = endpointRegistration(form);
  const example = { url: 'https://hooks.example.com/captures', events: ['capture.completed', 'capture.failed'] };
  return {
    'POST /api/v1/webhooks': {
      id: 'registerWebhook',
      tag: 'Webhooks',
      summary: 'Register an endpoint',
      description:
        'With `webhook_url` in place of `url` it is the connectivity test: it posts the first of `events` with sample data and answers 200.',
      body: { schema: z.union([registration, connectivityTest(form)]), example, required: true },
      answers: {
        200: { description: 'What came of the connectivity test.', json: testOutcome },
        201: { description: 'The endpoint.', json: registeredEndpoint(form) },
      },
    },
    'GET /api/v1/webhooks': {
      id: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'List endpoints',
      query: pageRequest,
      answers: { 200: { description: 'A page of the endpoints.', json: pageOfRows('webhooks', endpoint(form)) } },
    },
    'GET /api/v1/webhooks/:id': {
      id: 'getWebhook',
      tag: 'Webhooks',
      summary: 'Read an endpoint',
      answers: { 200: { description: 'The endpoint.', json: endpoint(form) } },
    },
    'PATCH /api/v1/webhooks/:id': {
      id: 'changeWebhook',
      tag: 'Webhooks',
      summary: 'Change, pause or resume an endpoint',
      description: 'A disabled endpoint set `active` again gets the deliveries that were held back.',
      body: { schema: endpointChange(form), example: { status: 'paused' }, required: true },
      answers: { 200: { description: 'The endpoint.', json: endpoint(form) } },
    },
    'DELETE /api/v1/webhooks/:id': {
      id: 'deleteWebhook',
      tag: 'Webhooks',
      summary: 'Delete an endpoint',
      description: 'Its open deliveries end as `failed` with `endpoint_deleted`.',
      answers: { 204: { description: 'Done.' } },
    },
    'POST /api/v1/webhooks/:id/test': {
      id: 'testRegisteredWebhook',
      tag: 'Webhooks',
      summary: 'Test an endpoint',
      body: { schema: endpointTest(form), example: { events: ['capture.completed'] }, required: false },
      answers: { 200: { description: 'What came of it.', json: testOutcome } },
    },
    'POST /api/v1/webhooks/:id/rotate-secret': {
      id: 'rotateWebhookSecret',
      tag: 'Webhooks',
      summary: 'Rotate an endpoint’s secret',
      body: { schema: secretRotation, example: {}, required: false },
      answers: {
        200: {
          description: 'The new secret, shown this once.',
          json: z.strictObject({ secret: z.string(), previous_valid_until: z.iso.datetime() }),
        },
      },
    },
    'POST /api/v1/webhooks/:id/replay': {
      id: 'replayWebhook',
      tag: 'Webhooks',
      summary: 'Send an endpoint’s deliveries again',
      body: { schema: replayRequest, example: { since: '2026-11-20T00:00:00Z' }, required: true },
      idempotent: true,
      answers: { 202: { description: 'How many are sent again.', json: replayed } },
    },
    'GET /api/v1/webhooks/deliveries': {
      id: 'listDeliveries',
      tag: 'Webhooks',
      summary: 'List deliveries',
      query: deliveryFilter(form),
      answers: { 200: { description: 'A page of the deliveries.', json: pageOfRows('deliveries', delivery(form)) } },
    },
    'GET /api/v1/webhooks/deliveries/:id': {
      id: 'getDelivery',
      tag: 'Webhooks',
      summary: 'Read a delivery and its attempts',
      answers: { 200: { description: 'The delivery.', json: deliveryWithAttempts(form) } },
    },
    'POST /api/v1/webhooks/deliveries/:id/retry': {
      id: 'retryDelivery',
      tag: 'Webhooks',
      summary: 'Send a delivery again',
      description: 'One attempt now, then a fresh schedule; a waiting automatic retry is replaced.',
      idempotent: true,
      answers: { 202: { description: 'The delivery.', json: delivery(form) } },
    },
  };
}
