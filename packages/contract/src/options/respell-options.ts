type IsFlag = (name: string) => boolean;

/** A host with a top-level domain, as people write it: `example.com`, `shop.example.com:8080/cart`. */
const bareHost = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]|$)/u;

const flagByValue: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  [0, false],
]);

/**
 * Converts common spellings of options to the spellings of the schemas: `jpg` becomes `jpeg`, 1 becomes true, and a URL without a
 * scheme gets `https`. Any other value, right or wrong, is not changed. Records keep the given spelling.
 *
 * This file does not import the schemas, so that browsers need not load them; `respell` does.
 */
export function respellOptions<Given>(given: Given, isFlag: IsFlag): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { outputs } = given as { outputs?: unknown };
  const respelled = respellOne(given, isFlag);
  return Array.isArray(outputs)
    ? { ...respelled, outputs: outputs.map((output) => respellOutput(output, isFlag)) }
    : respelled;
}

/** An output without options may be the name of its kind. */
function respellOutput(output: unknown, isFlag: IsFlag): unknown {
  return typeof output === 'string' ? { kind: output } : respellOne(output, isFlag);
}

function respellOne<Given>(given: Given, isFlag: IsFlag): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { format, url } = given as { format?: unknown; url?: unknown };
  const flags = Object.entries(given).flatMap(([name, value]) => {
    const flag = flagByValue.get(value);
    return flag !== undefined && isFlag(name) ? [[name, flag]] : [];
  });
  return {
    ...given,
    ...Object.fromEntries(flags),
    ...(format === 'jpg' && { format: 'jpeg' }),
    ...(typeof url === 'string' && bareHost.test(url) && { url: `https://${url}` }),
  };
}
