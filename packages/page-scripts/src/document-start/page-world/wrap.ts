// Scripts in the page's own world take their built-ins when they load, before the page can replace them.
const { defineProperty, getOwnPropertyDescriptor } = Object;
const { apply, construct } = Reflect;
const Wrapper = Proxy;

/** Milliseconds since the document was opened, even while the page's clock is ahead. */
export const readNow = performance.now.bind(performance);

export type Call = (target: unknown, self: unknown, args: unknown[]) => unknown;

export type Construct = (target: unknown, args: unknown[], self: unknown) => object;

/** Calls a function, however the page has changed `Function.prototype`. */
export function invoke(target: unknown, self: unknown, args: unknown[]): unknown {
  return apply(target as (...all: unknown[]) => unknown, self, args);
}

/** Calls a constructor, however the page has changed its prototype. */
export function make<Made>(target: unknown, args: unknown[], self = target): Made {
  return construct(target as NewableFunction, args, self as NewableFunction) as Made;
}

/** Wraps a function of an owner, if the owner has the function. To the page, the wrapped function looks like the original. */
export function wrap(owner: object, name: string, call: Call): void {
  const target = (owner as Record<string, unknown>)[name];
  if (typeof target !== 'function') return;
  const value = new Wrapper(target, { apply: (original, self, args) => call(original, self, args) });
  const enumerable = getOwnPropertyDescriptor(owner, name)?.enumerable ?? true;
  defineProperty(owner, name, { value, writable: true, configurable: true, enumerable });
}

/** Wraps a class of the window, if the class exists. */
export function wrapClass(name: string, call: Construct): void {
  const target = (globalThis as Record<string, unknown>)[name];
  if (typeof target !== 'function') return;
  const value = new Wrapper(target as NewableFunction, {
    construct: (original, args, self) => call(original, args, self),
  });
  defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Wraps the getter of an owner's property, and its setter, as far as they exist. */
export function wrapAccessors(owner: object, name: string, { get, set }: { get: Call; set?: Call }): void {
  const property = getOwnPropertyDescriptor(owner, name);
  if (!property?.get) return;
  defineProperty(owner, name, {
    ...property,
    get: new Wrapper(property.get, { apply: (original, self, args) => get(original, self, args) }),
    ...(set &&
      property.set && {
        set: new Wrapper(property.set, { apply: (original, self, args) => set(original, self, args) }),
      }),
  });
}
