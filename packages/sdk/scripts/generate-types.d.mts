/** The OpenAPI document of the built gateway for one form. */
// biome-ignore lint/suspicious/noExplicitAny: readers of the document know its shape.
export function readDocument(form: 'A' | 'B'): Promise<any>;

/** The text of `src/api-types.ts`. */
export function generateTypes(document: object): Promise<string>;
