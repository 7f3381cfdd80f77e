import { invoke } from '../page-world/wrap.ts';

const { get } = Reflect;
const { create } = Object;

export interface Attributes {
  preserveDrawingBuffer?: boolean;
}

/**
 * Calls a canvas's `getContext` so that a WebGL context keeps its drawings.
 *
 * @returns the context, and whether the page itself keeps the drawings: null for a context of another kind.
 */
export function makeContext(
  getContext: unknown,
  canvas: unknown,
  args: unknown[],
): { context: object | null; keeps: boolean | null } {
  const [kind, given] = args;
  if (kind !== 'webgl' && kind !== 'webgl2' && kind !== 'experimental-webgl') {
    return { context: invoke(getContext, canvas, args) as object | null, keeps: null };
  }
  // Chromium throws for values of other types.
  const canChange = given === undefined || given === null || isObject(given);
  const keeps = isObject(given) && Boolean(get(given, 'preserveDrawingBuffer'));
  // The object inherits all other attributes.
  const attributes = canChange
    ? create((given as object | undefined) ?? null, { preserveDrawingBuffer: { value: true } })
    : given;
  return { context: invoke(getContext, canvas, [kind, attributes]) as object | null, keeps };
}

function isObject(value: unknown): value is object {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}
