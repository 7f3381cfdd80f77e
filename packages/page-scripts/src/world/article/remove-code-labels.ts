/** Removes the line numbers of code, and the name of its language, that stand in elements next to the block. */
export function removeCodeLabels(copy: Document): void {
  for (const block of copy.body.querySelectorAll('pre')) {
    const lines = (block.textContent ?? '').split('\n').length;
    const [, language = ''] = /language-(\S+)/.exec(block.firstElementChild?.className ?? '') ?? [];
    for (const neighbour of [block.previousElementSibling, block.nextElementSibling]) {
      if (!neighbour || neighbour.localName === 'pre') continue;
      if (isLabel(wordsOf(copy, neighbour, lines), lines, language)) neighbour.remove();
    }
  }
}

/** The words of an element, up to the first text after `most` words. */
function wordsOf(copy: Document, element: Element, most: number): string[] {
  const texts = copy.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words: string[] = [];
  while (texts.nextNode() && words.length <= most) {
    const text = texts.currentNode.nodeValue?.trim() ?? '';
    if (text !== '') words.push(...text.split(/\s+/));
  }
  return words;
}

/** Whether words are the numbers of so many lines, or the name of the language. */
export function isLabel(words: readonly string[], lines: number, language: string): boolean {
  const [first = ''] = words;
  const isNumbers = words.length === lines && words.every((word, index) => Number(word) === Number(first) + index);
  const isLanguage = words.length === 1 && language !== '' && first.toLowerCase() === language;
  return (isNumbers && lines > 1) || isLanguage;
}
