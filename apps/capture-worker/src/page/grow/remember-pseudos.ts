/// <reference lib="dom" />
import type { Frozen } from './frozen.ts';
import type { PlaceMemory } from './remember-places.ts';

/** See `rememberPseudos`. */
export type PseudoMemory = ReturnType<typeof rememberPseudos>;

/** Remembers backgrounds that pseudo-elements show behind the page. Part of `freezePage`. */
export function rememberPseudos({ frozen, places: { holderOf, backdropOf } }: { frozen: Frozen; places: PlaceMemory }) {
  const { innerWidth, innerHeight } = window;
  return { rememberPseudo };

  function rememberPseudo(element: HTMLElement): void {
    for (const name of ['::before', '::after'] as const) {
      const style = getComputedStyle(element, name);
      if (style.position !== 'fixed' || !isBackground(style)) continue;
      const held = holderOf(element);
      if (held && !held.cuts) continue;
      const { top, width, height } = style;
      frozen.pseudos.push({
        element,
        name,
        top,
        width: Number.parseFloat(width),
        height: Number.parseFloat(height),
        backdrop: backdropOf(style),
        through: held?.holder ?? null,
      });
    }
  }

  /** Whether it fills the window and shows no text. What is in front of the page is none, such as a grain or a curtain. */
  function isBackground(style: CSSStyleDeclaration): boolean {
    const [top, width, height] = [style.top, style.width, style.height].map(Number.parseFloat) as [
      number,
      number,
      number,
    ];
    const fills = Math.abs(top) < 2 && width >= innerWidth * 0.95 && height >= innerHeight * 0.95;
    if (!fills || !/^"\s*"$/.test(style.content) || Number(style.zIndex) > 0) return false;
    return style.backgroundImage !== 'none' || !/, 0\)$|^transparent$/.test(style.backgroundColor);
  }
}
