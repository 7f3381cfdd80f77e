/// <reference lib="dom" />
import type { FreezeInput } from './frozen.ts';

/** See `windowLengths`. */
export type WindowLengths = ReturnType<typeof windowLengths>;

/** Writes the lengths and media queries of a text as they are in the visitor's window. Part of `freezePage`. */
export function windowLengths({ input: { elements } }: { input: FreezeInput }) {
  const { innerWidth, innerHeight } = window;
  const units: Record<string, number> = {
    h: innerHeight / 100,
    b: innerHeight / 100,
    min: Math.min(innerWidth, innerHeight) / 100,
    max: Math.max(innerWidth, innerHeight) / 100,
  };
  const lengths = /(?<![\w#-])([+-]?(?:\d+\.?\d*|\.\d+))([dsl]?v|cq)(h|b|min|max)\b/gi;
  // Without a container, its units are those of the window.
  let containers: boolean | undefined;
  return { lengths, fixed, fixedMedia };

  function fixed(text: string): string {
    return text.replace(lengths, (all, amount: string, kind: string, unit: string) =>
      /^cq/i.test(kind) && hasContainers() ? all : `${Number(amount) * (units[unit.toLowerCase()] ?? 0)}px`,
    );
  }

  function hasContainers(): boolean {
    const elementsOf = () => [...Document.prototype.querySelectorAll.call(document, '*')].slice(0, elements);
    const isContainer = (each: Element) => /size/.test(getComputedStyle(each).getPropertyValue('container-type'));
    containers ??= elementsOf().some(isContainer);
    return containers;
  }

  function fixedMedia(query: string): string {
    if (!/height|orientation|aspect-ratio/i.test(query)) return query;
    return matchMedia(query).matches ? 'all' : 'not all';
  }
}
