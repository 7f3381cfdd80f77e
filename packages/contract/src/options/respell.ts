/** A host with a top-level domain, as people write it: `example.com`, `shop.example.com:8080/cart`. */
const bareHost = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]|$)/u;

/**
 * Options as the schemas have them, where people write them otherwise: `jpg` is `jpeg`, and a URL without a scheme begins
 * with `https`. Anything else, right or wrong, stays as it is. Records keep what was given.
 */
export function respell<Given>(given: Given): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { format, url } = given as { format?: unknown; url?: unknown };
  return {
    ...given,
    ...(format === 'jpg' && { format: 'jpeg' }),
    ...(typeof url === 'string' && bareHost.test(url) && { url: `https://${url}` }),
  };
}
