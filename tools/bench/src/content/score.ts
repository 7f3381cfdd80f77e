/** Returns the words of Markdown or of a text, without the targets of links and images, and without markup. */
export function wordsOf(text: string): string[] {
  const plain = text.replaceAll(/\]\((?:<[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/g, '] ');
  return (
    plain
      .replaceAll(/<\/?su[bp]>|<br>/g, (tag) => (tag === '<br>' ? ' ' : ''))
      .replaceAll(/\\(?=[^\p{L}\p{N}\s])/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Compares words with the expected words, each as often as it occurs: the harmonic mean of precision and recall. */
export function scoreOf(words: readonly string[], expected: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  return words.length + expected.length === 0 ? 1 : (2 * shared) / (words.length + expected.length);
}
