/** Returns the inline style of an element, even of a form with a control of the name `style`. */
export function styleOf(element: Element): CSSStyleDeclaration {
  const { prototype } = [SVGElement, MathMLElement].find((each) => element instanceof each) ?? HTMLElement;
  return Reflect.get(prototype, 'style', element);
}

/** Sets inline styles that override the rules of the page. */
export function setStyles(element: Element, styles: Record<string, string>): void {
  const style = styleOf(element);
  for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
}
