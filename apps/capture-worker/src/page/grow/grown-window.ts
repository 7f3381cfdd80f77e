/// <reference lib="dom" />
import type { FrozenWorld } from './frozen.ts';

/** See `grownWindow`. */
export type GrownWindow = ReturnType<typeof grownWindow>;

/** The window as it is and as it was, CSS pixels. Part of `placeElements`. */
export function grownWindow() {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  const { innerWidth, innerHeight: grown } = window;
  return { frozen, innerWidth, grown, frozenHeight: frozen?.height ?? grown, set };

  function set(element: HTMLElement, styles: Record<string, string>): void {
    for (const [name, value] of Object.entries(styles)) {
      frozen?.styleOf(element).setProperty(name, value, 'important');
    }
  }
}
