/** The OpenAPI document that the built gateway serves in a form. */
// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as whoever reads it would.
export function readDocument(form: 'A' | 'B'): Promise<any>;

/** The text of `src/api-types.ts`. */
export function generateTypes(document: object): Promise<string>;
