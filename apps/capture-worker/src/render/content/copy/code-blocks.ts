/// <reference lib="dom" />
import type { CopyInput } from './copy.ts';
import type { NodeReader } from './node-reader.ts';

/** See `codeBlocks`. */
export type CodeBlocks = ReturnType<typeof codeBlocks>;

/** Copies code as text, with the name of its language. Part of `copyContent`. */
export function codeBlocks({
  input: { limits },
  read: { childrenOf, attributeOf, matches, find },
  copy,
}: {
  input: CopyInput;
  read: NodeReader;
  copy: Document;
}) {
  const lineNumbers =
    '.linenos, .lineno, .linenodiv, .line-numbers-rows, .line-number, .gutter, .hljs-ln-numbers, .rouge-gutter, .blob-num';
  return { appendCode };

  function appendCode(to: Element, pre: Element): void {
    const block = copy.createElement('pre');
    const code = copy.createElement('code');
    const language = languageOf(pre);
    if (language !== '') code.className = `language-${language}`;
    code.textContent = codeOf(pre);
    if (code.textContent !== '') to.append(block);
    block.append(code);
  }

  function languageOf(pre: Element): string {
    const named = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourceCode)[-\s]?\s*([a-z][\w+#.-]*)/i;
    const none =
      /^(?:text|plain|plaintext|none|default|nohighlight|lines?|linenos|wrapper|highlight|numberSource|code)$/i;
    // Highlighters also name the language alone, as one of many names of classes.
    const known =
      /^(?:bash|c|clojure|cpp|csharp|cs|css|dart|diff|dockerfile|elixir|erlang|go|graphql|groovy|haskell|html|http|ini|java|javascript|js|json|jsx|julia|kotlin|latex|less|lua|makefile|markdown|nginx|objc|perl|php|powershell|python|py|r|ruby|rb|rust|scala|scss|sh|shell|sql|swift|toml|ts|tsx|typescript|vb|vim|xml|yaml|yml|zsh)$/i;
    const bareOf = (place: Element) => {
      const names = attributeOf(place, 'class').split(/\s+/).filter(Boolean);
      const isMarked = names.includes('hljs');
      return names.find((name) =>
        isMarked ? /^(?!hljs)[a-z][\w+#.-]*$/i.test(name) && !none.test(name) : known.test(name),
      );
    };
    const places = [find(pre, 'code'), pre, pre.parentElement, pre.parentElement?.parentElement];
    for (const place of places) {
      if (!place) continue;
      const given = attributeOf(place, 'data-lang') || attributeOf(place, 'data-language');
      const [, language] = named.exec(attributeOf(place, 'class')) ?? [];
      const isInner = place === pre || place.localName === 'code';
      const found = given || language || (isInner ? bareOf(place) : undefined);
      if (found && !none.test(found)) return found.toLowerCase().slice(0, 30);
      if (found && given) return '';
    }
    return '';
  }

  function codeOf(pre: Element): string {
    let text = '';
    const read = (node: Node, depth: number) => {
      if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue ?? '';
      if (node.nodeType !== Node.ELEMENT_NODE || depth > limits.depth || text.length > 1_000_000) return;
      // Of a frame it is no instance of our `Element`.
      const element = node as Element;
      if (element.localName === 'br') text += '\n';
      if (/^(button|script|style)$/.test(element.localName)) return;
      if (node !== pre && (matches(element, lineNumbers) || getComputedStyle(element).display === 'none')) return;
      const isLine = node !== pre && /^(div|p|tr|li)$/.test(element.localName);
      if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
      for (const child of childrenOf(node)) read(child, depth + 1);
      if (isLine && !text.endsWith('\n')) text += '\n';
    };
    read(pre, 0);
    return text.replace(/^\n+|\s+$/g, '').replaceAll('\u00a0', ' ');
  }
}
