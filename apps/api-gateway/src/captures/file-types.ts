const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** The media type of a capture's file by its format. */
export function contentTypeOf(format: string | null): string {
  return (format !== null && contentTypes[format]) || 'application/octet-stream';
}
