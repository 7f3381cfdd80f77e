import { queryOptions, useQuery } from '@tanstack/react-query';
import { request } from './request.ts';

/** The part of JSON Schema that describes options. */
export interface OptionSchema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: string[];
  const?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: OptionSchema;
  properties?: Record<string, OptionSchema>;
  required?: string[];
  additionalProperties?: OptionSchema | boolean;
  anyOf?: OptionSchema[];
  oneOf?: OptionSchema[];
  'x-unit'?: string;
}

export interface OpenApiDocument {
  paths: Record<string, object>;
  webhooks: Record<string, object>;
  components: { schemas: Record<string, OptionSchema> };
}

/** The OpenAPI document: the options, and the features of this deployment. */
export const documentQuery = queryOptions({
  queryKey: ['document'],
  queryFn: ({ signal }) => request<OpenApiDocument>('GET', '/openapi.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Returns the features of this deployment; undefined until loaded. */
export function useOffers() {
  const { data } = useQuery(documentQuery);
  if (!data) return undefined;
  return {
    /** Whether accounts can register endpoints and read a delivery log. */
    registration: '/api/v1/webhooks/deliveries' in data.paths,
    /** Whether accounts can read and rotate their signing secret. */
    signingSecret: '/api/v1/account/signing-secret' in data.paths,
    /** Whether users can sign in by a link in an email. */
    signInLinks: '/api/auth/sign-in-link' in data.paths,
    /** The names of all events. */
    events: Object.keys(data.webhooks),
  };
}
