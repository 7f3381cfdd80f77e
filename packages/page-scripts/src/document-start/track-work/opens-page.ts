const { String: string } = globalThis;
const sourceOf = Function.prototype.toString;
const [matches, partOf] = [RegExp.prototype.test, String.prototype.slice];
const { apply } = Reflect;

const opening =
  /(?<!(?:const|let|var)\s+)(?<![\w$.])(?:(?:window|document|self|top|parent|globalThis)\.)*location(?:\.href\s*=(?!=)|\s*=(?![=>])|\.(?:assign|replace)\s*\()|\b[rR]edirect\w*\s*\(/;

/** Characters of a callback that are read: a callback that redirects is short, and another may contain a whole bundle. */
const readCharacters = 5_000;

/** Whether the source of a callback opens another page. A comparison with the URL does not. */
export function opensPage(callback: unknown): boolean {
  const source = typeof callback === 'function' ? apply(sourceOf, callback, []) : string(callback);
  return apply(matches, opening, [apply(partOf, source, [0, readCharacters])]);
}
