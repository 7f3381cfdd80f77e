/** Pages that are written by a function, because many of their parts repeat: by path. It gets the query. */
export const madePages: ReadonlyMap<string, (query: URLSearchParams) => string> = new Map();
