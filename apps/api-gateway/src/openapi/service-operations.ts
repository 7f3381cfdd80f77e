import { z } from 'zod';
import type { Operations } from './operation.ts';

const part = z.enum(['ok', 'away']);

export const readiness = z.strictObject({
  status: z.enum(['ready', 'not ready']),
  database: part,
  redis: part,
  workers: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Capture workers that are there; null if that cannot be told.' }),
});

export const serviceOperations: Operations = {
  'GET /healthz': {
    id: 'getHealth',
    tag: 'Service',
    summary: 'Whether the process is alive',
    answers: { 200: { description: 'It is.', json: z.strictObject({ status: z.literal('ok') }) } },
  },
  'GET /readyz': {
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Whether requests can be served',
    description: 'Needs the database; tells of Redis and the workers without needing them.',
    answers: {
      200: { description: 'They can.', json: readiness },
      503: { description: 'They cannot.', json: readiness },
    },
  },
  'GET /metrics': {
    id: 'getMetrics',
    tag: 'Service',
    summary: 'Figures for Prometheus',
    answers: { 200: { description: 'The figures.', media: ['text/plain'] } },
  },
  'GET /openapi.json': {
    id: 'getDocument',
    tag: 'Service',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1.', json: z.record(z.string(), z.unknown()) } },
  },
  'GET /docs': {
    id: 'getDocs',
    tag: 'Service',
    summary: 'This document, to be read',
    answers: { 200: { description: 'A page.', media: ['text/html'] } },
  },
  'GET /docs/:name': {
    id: 'getDocsFile',
    tag: 'Service',
    summary: 'A file of the page that shows this document',
    answers: { 200: { description: 'The file.', media: ['text/css', 'text/javascript', 'image/png'] } },
  },
  'GET /dashboard': {
    id: 'getDashboard',
    tag: 'Service',
    summary: 'The dashboard',
    answers: { 200: { description: 'Its page.', media: ['text/html'] } },
  },
  'GET /dashboard/*place': {
    id: 'getDashboardPlace',
    tag: 'Service',
    summary: 'A place in the dashboard',
    description: 'The same page at every address: it reads there what it shows.',
    answers: { 200: { description: 'Its page.', media: ['text/html'] } },
  },
  'GET /dashboard/assets/:name': {
    id: 'getDashboardFile',
    tag: 'Service',
    summary: 'A file of the dashboard',
    answers: { 200: { description: 'The file.', media: ['text/css', 'text/javascript', 'image/svg+xml'] } },
  },
};
