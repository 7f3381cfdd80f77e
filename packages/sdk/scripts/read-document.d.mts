/** Returns the OpenAPI document of the built gateway for one form. */
// biome-ignore lint/suspicious/noExplicitAny: readers of the document know its shape.
export function readDocument(form: 'A' | 'B'): any;
