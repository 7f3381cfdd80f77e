import { useQuery } from '@tanstack/react-query';
import type { CaptureType } from '../api/responses.ts';
import { documentQuery, type OptionSchema } from '../api/service.ts';

interface Kind {
  type: CaptureType;
  label: string;
  path: string;
  /** The name of the kind's request schema in the OpenAPI document. */
  schema: string;
}

/** The kinds of captures, in display order. */
export const kinds: readonly Kind[] = [
  { type: 'screenshot', label: 'Screenshot', path: '/api/v1/screenshot', schema: 'ScreenshotRequest' },
  { type: 'pdf', label: 'PDF', path: '/api/v1/pdf', schema: 'PdfRequest' },
  { type: 'og_image', label: 'OG image', path: '/api/v1/og-image', schema: 'OgImageRequest' },
  { type: 'content', label: 'Content', path: '/api/v1/content', schema: 'ContentRequest' },
];

export const kindOf = (type: CaptureType): Kind => kinds.find((kind) => kind.type === type) as Kind;

/** The options of every kind, from the OpenAPI document. */
export function useKindOptions() {
  const { data, error, refetch } = useQuery(documentQuery);
  const optionsOf = (type: CaptureType): Record<string, OptionSchema> | undefined =>
    data && (data.components.schemas[kindOf(type).schema]?.properties ?? {});
  return { optionsOf, error, refetch };
}
