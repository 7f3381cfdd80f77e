/** The elements that move without an end. */
export class TurningElements {
  readonly #elements = new Set<Element>();

  constructor() {
    for (const { effect } of document.getAnimations().slice(0, 1_000)) {
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      if (isEndless && effect instanceof KeyframeEffect && effect.target) this.#elements.add(effect.target);
    }
  }

  /** Whether the element is something small that only says that the page loads. */
  isSpinner(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    if (width > 150 || height > 150) return false;
    const names = `${element.id} ${element.getAttribute('class')} ${element.getAttribute('src')?.slice(0, 500)}`;
    const isNamed = /(^|[^a-z])(spinner|(pre)?loader|loading)([^a-z]|$)/i.test(names);
    const drawn = 'animate[repeatCount="indefinite"], animateTransform[repeatCount="indefinite"]';
    if (isNamed || this.#isTurning(element) || element.querySelector(drawn) !== null) return true;
    return [element, ...element.querySelectorAll('*')].some((each) => this.#elements.has(each));
  }

  #isTurning(element: Element): boolean {
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
      if (this.#elements.has(each)) return true;
    }
    return false;
  }
}
