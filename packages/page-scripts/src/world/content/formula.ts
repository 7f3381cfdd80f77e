import { attributeOf, find, matches, textOf } from './node-reader.ts';

export interface Formula {
  tex: string;
  /** Set only if there is no TeX. */
  mathml: string;
  /** Whether the formula has a line to itself. */
  display: boolean;
}

/** Wikipedia hides the MathML, and shows an image. */
const containers = '.katex, .katex-display, mjx-container, math, .mwe-math-element, .mwe-math-mathml-a11y';

/** The TeX of a formula, or its MathML for `convertMathml`; null if the element is no formula. */
export function readFormula(element: Element): Formula | null {
  const name = element.localName;
  if (name === 'script') {
    const [, mode] = /^math\/tex(; *mode=display)?/i.exec(attributeOf(element, 'type')) ?? [null, null];
    return mode === null ? null : { tex: textOf(element), mathml: '', display: Boolean(mode) };
  }
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

/** The element that stands for a formula in the copy. */
export function formulaElement(copy: Document, element: Element, { tex, mathml, display }: Formula): Element {
  const formula = copy.createElement(display ? 'p' : 'span');
  formula.setAttribute('data-math', display ? 'display' : 'inline');
  if (mathml !== '') formula.setAttribute('data-mathml', mathml);
  formula.textContent = tex.trim() || textOf(element);
  return formula;
}
