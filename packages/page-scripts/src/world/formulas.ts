import { MathMLToLaTeX } from 'mathml-to-latex';
import { latestCopy } from './content/latest-copy.ts';

/** Turns the MathML of the copied formulas into TeX. */
export function convertMathml(): null {
  for (const formula of latestCopy().document.querySelectorAll('[data-mathml]')) {
    try {
      const tex = MathMLToLaTeX.convert(formula.getAttribute('data-mathml') ?? '').trim();
      if (tex !== '') formula.textContent = tex;
    } catch {
      // The text of the formula stays.
    }
    formula.removeAttribute('data-mathml');
  }
  return null;
}
