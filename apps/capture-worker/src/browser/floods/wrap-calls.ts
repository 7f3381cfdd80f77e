/// <reference lib="dom" />
/** Asked before a call. It may change the arguments. */
export type Check = (args: unknown[], self?: unknown) => boolean;
type Call = (args: unknown[], self?: unknown) => unknown;

export type WrapCalls = ReturnType<typeof wrapCalls>;

/**
 * What the limits of a document or worker are made of. Up to them everything is as it was. It keeps the functions that it uses,
 * as those that use it must: a page could otherwise replace them, and be given what is wrapped here.
 */
export function wrapCalls() {
  const { apply, construct } = Reflect;
  const { DOMException: Failure } = globalThis;
  const tooMany = (what: string) => new Failure(`Too many ${what}.`, 'QuotaExceededError');
  const nothing = (): unknown => undefined;
  /** Replaces a function by one that asks `allows` first. */
  const wrap = (
    owner: object | undefined,
    name: string,
    allows: Check,
    refuse: Call = nothing,
    after: (made: object) => void = nothing,
  ) => {
    const property = owner && Object.getOwnPropertyDescriptor(owner, name);
    const role = property?.set ? 'set' : property?.get ? 'get' : 'value';
    const original = property?.[role];
    if (typeof original !== 'function') return;
    const limited = new Proxy(original, {
      apply: (target, self, args) => (allows(args, self) ? apply(target, self, args) : refuse(args, self)),
      construct: (target, args, self) => {
        if (!allows(args)) return refuse(args) as object;
        const made = construct(target, args, self) as object;
        after(made);
        return made;
      },
    });
    Object.defineProperty(owner as object, name, { ...property, [role]: limited });
    // What a page constructs leads to its constructor.
    const own = original.prototype && Object.getOwnPropertyDescriptor(original.prototype, 'constructor');
    if (own) Object.defineProperty(original.prototype, 'constructor', { ...own, value: limited });
  };
  /** Counts together what is wrapped with it. */
  const atMost = (most: number): Check => {
    let count = 0;
    return () => {
      count += 1;
      return count <= most;
    };
  };
  const prototypeOf = (name: string) =>
    (globalThis as unknown as Record<string, { prototype?: object } | undefined>)[name]?.prototype;
  /** Replaces a function by one that `call` calls. */
  const replace = (
    owner: object | undefined,
    name: string,
    call: (original: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) => unknown,
  ) => {
    const property = owner && Object.getOwnPropertyDescriptor(owner, name);
    const role = property?.get ? 'get' : 'value';
    if (typeof property?.[role] !== 'function') return;
    const replaced = new Proxy(property[role], { apply: (target, self, args) => call(target, self, args) });
    Object.defineProperty(owner as object, name, { ...property, [role]: replaced });
  };
  const isFrame = typeof document === 'object' && window.top !== window;
  const isElsewhere = isFrame || typeof document !== 'object';
  return { wrap, replace, atMost, tooMany, prototypeOf, isFrame, isElsewhere };
}
