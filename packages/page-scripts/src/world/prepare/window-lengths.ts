/** Matches lengths that depend on the height of a window or of a container. */
export const windowLengths = /(?<![\w#-])([+-]?(?:\d+\.?\d*|\.\d+))([dsl]?v|cq)(h|b|min|max)\b/gi;

/**
 * Writes the lengths of a text as they are in a window of this size, CSS pixels.
 *
 * @param hasContainers whether the page has a container; without containers, their units are units of the window.
 */
export function fixLengths(
  text: string,
  { width, height }: { width: number; height: number },
  hasContainers: () => boolean,
): string {
  const units: Record<string, number> = {
    h: height / 100,
    b: height / 100,
    min: Math.min(width, height) / 100,
    max: Math.max(width, height) / 100,
  };
  return text.replace(windowLengths, (all, amount: string, kind: string, unit: string) =>
    /^cq/i.test(kind) && hasContainers() ? all : `${Number(amount) * (units[unit.toLowerCase()] ?? 0)}px`,
  );
}

/**
 * Rewrites the lengths and media queries of a style sheet's text with these functions. The rest of the text stays as it is,
 * because the sheet that a parser makes of a text cannot always be written down again.
 */
export function fixSheetText(
  text: string,
  { fixed, fixedMedia }: { fixed: (text: string) => string; fixedMedia: (query: string) => string },
): string {
  // A part reaches to the end of a declaration, or the start of a block; comments, strings and URLs may contain either.
  const part =
    /(?:\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|url\([^)"']*\)|\\[\s\S]|[^;{}])*[;{}]?/gy;
  return text.replace(part, (all) => {
    if (!all.endsWith('{')) return /^\s*@/.test(all) ? all : fixed(all);
    return all.replace(/(@media\b)([^{]*)/i, (_, at: string, query: string) => `${at} ${fixedMedia(query.trim())} `);
  });
}

/** A length in pixels that a script has changed, such as `600px`. */
interface ChangedLength {
  name: string;
  before: string;
  after: string;
}

/** Whether a length grew by as much as the window, in proportion to it, or from about its old height to its new one. */
export function grewWithWindow(
  { name, before, after }: ChangedLength,
  window: { before: number; after: number },
): boolean {
  const [one, other] = [Number.parseFloat(before), Number.parseFloat(after)];
  if (!after.endsWith('px') || !before.endsWith('px') || one <= 0) return false;
  if (Math.abs(other - one - (window.after - window.before)) < 3) return true;
  if (Math.abs(other / one / (window.after / window.before) - 1) < 0.02) return true;
  const wasScreen = one > window.before * 0.5 && one < window.before * 1.1;
  return /height$/.test(name) && wasScreen && other > window.after * 0.7;
}
