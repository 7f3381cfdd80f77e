import type { ErrorCode } from '@capture/contract/errors';
import type { z } from 'zod';
import type { tags } from './tags.ts';

/** What the document says of one route beside what its row in the route table says already. */
export interface Operation {
  /** A verb and what it is done to, for generated clients. */
  id: string;
  tag: keyof typeof tags;
  /** One line. */
  summary: string;
  /** More, where the summary does not say it. */
  description?: string;
  /** The schema of the query. */
  query?: z.ZodObject;
  /** Options of the query's schema that only a body takes. */
  notInQuery?: ReadonlySet<string>;
  body?: { schema: z.ZodType; example: unknown; required: boolean };
  /** Whether an `Idempotency-Key` is taken. */
  idempotent?: true;
  /** By status. */
  answers: Record<number, Answer>;
  /** Error codes beyond those of every route like it. */
  errors?: readonly ErrorCode[];
}

export interface Answer {
  description: string;
  json?: z.ZodType;
  /** Media types other than JSON. */
  media?: readonly string[];
  /** Headers that it has beyond those of every answer, by their names among the document's components. */
  headers?: readonly string[];
}

/** Operations by method and path, as the route table spells them: `GET /api/v1/captures/:id`. */
export type Operations = Record<string, Operation>;
