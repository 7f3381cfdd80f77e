/// <reference lib="dom" />
import type { NodeReader } from './node-reader.ts';

/** See `formulas`. */
export type Formulas = ReturnType<typeof formulas>;

export interface Formula {
  tex: string;
  /** If there is no TeX. */
  mathml: string;
  /** Whether it has a line of its own. */
  display: boolean;
}

/** Reads formulas. Part of `copyContent`. */
export function formulas({ read: { textOf, attributeOf, matches, find } }: { read: NodeReader }) {
  return { mathOf };

  /** The TeX of a formula, or its MathML for later; null if the element is none. */
  function mathOf(element: Element): Formula | null {
    const name = element.localName;
    if (name === 'script') {
      const [, mode] = /^math\/tex(; *mode=display)?/i.exec(attributeOf(element, 'type')) ?? [null, null];
      return mode === null ? null : { tex: textOf(element), mathml: '', display: Boolean(mode) };
    }
    // Wikipedia hides the MathML, and shows an image.
    const containers = '.katex, .katex-display, mjx-container, math, .mwe-math-element, .mwe-math-mathml-a11y';
    if (!matches(element, containers)) return null;
    const math = name === 'math' ? element : find(element, 'math');
    if (!math) return null;
    const annotation = find(math, 'annotation[encoding="application/x-tex"], annotation[encoding="TeX"]');
    const tex = annotation ? textOf(annotation) : attributeOf(math, 'alttext');
    const display =
      attributeOf(math, 'display') === 'block' ||
      matches(element, '.katex-display, mjx-container[display=true], .mwe-math-element-block');
    const mathml = tex.trim() === '' ? math.outerHTML.slice(0, 20_000) : '';
    return { tex: tex.replace(/^\{\\displaystyle\s+([\s\S]*)\}$/, '$1'), mathml, display };
  }
}
