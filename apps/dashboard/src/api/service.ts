import { queryOptions, useQuery } from '@tanstack/react-query';
import { request } from './request.ts';

/** What of JSON Schema the document uses for options. */
export interface OptionSchema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: OptionSchema;
  properties?: Record<string, OptionSchema>;
  required?: string[];
  additionalProperties?: OptionSchema | boolean;
  anyOf?: OptionSchema[];
  'x-unit'?: string;
}

export interface OpenApiDocument {
  paths: Record<string, object>;
  webhooks: Record<string, object>;
  components: { schemas: Record<string, OptionSchema> };
}

/** The service's own description of itself: which options there are, and what this deployment offers. */
export const documentQuery = queryOptions({
  queryKey: ['document'],
  queryFn: ({ signal }) => request<OpenApiDocument>('GET', '/openapi.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** What this deployment offers; undefined until that is known. */
export function useOffers() {
  const { data } = useQuery(documentQuery);
  if (!data) return undefined;
  return {
    /** Whether accounts register endpoints and read a delivery log. */
    registration: '/api/v1/webhooks/deliveries' in data.paths,
    /** Whether an account reads and rotates its own signing secret. */
    signingSecret: '/api/v1/account/signing-secret' in data.paths,
    /** The names of the events that there are. */
    events: Object.keys(data.webhooks),
  };
}
