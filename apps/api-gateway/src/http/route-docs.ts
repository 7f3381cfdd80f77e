import type { ErrorCode } from '@capture/contract/errors';
import type { z } from 'zod';

/** The sections of the OpenAPI document. */
export type Tag = 'Captures' | 'Batches' | 'Webhooks' | 'Account' | 'Operator' | 'Service';

/** What the OpenAPI document says of a route beyond what the route's row says already. */
export interface RouteDocs {
  /** The operation's id: a verb and its object, for generated clients. */
  id: string;
  tag: Tag;
  /** One line. */
  summary: string;
  /** More, where the summary does not say it. */
  description?: string;
  /** The schema of the query. */
  query?: z.ZodObject;
  /** Options of the query's schema that only a body takes. */
  notInQuery?: ReadonlySet<string>;
  body?: { schema: z.ZodType; example: unknown; required: boolean };
  /** Whether the route takes an `Idempotency-Key`. */
  idempotent?: true;
  /** By status. */
  responses: Record<number, ResponseDocs>;
  /** Error codes beyond those of every similar route. */
  errors?: readonly ErrorCode[];
}

export interface ResponseDocs {
  description: string;
  json?: z.ZodType;
  /** Media types other than JSON. */
  media?: readonly string[];
  /** Headers beyond those of every response, by their names among the document's components. */
  headers?: readonly string[];
}
