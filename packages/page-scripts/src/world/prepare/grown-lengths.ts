/** A length in pixels that a script has changed, such as `600px`. */
interface ChangedLength {
  name: string;
  before: string;
  after: string;
}

/** Whether a length grew by as much as the window did, in its proportion, or from about its height to about its height. */
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
