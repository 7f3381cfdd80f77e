/** A script whose parts are being added; see `composeScript`. */
interface ScriptParts<Input, Parts> {
  /** Adds a part. `make` receives the input and the parts before it; those after it know what it returns by this name. */
  part<Name extends string, Part>(
    name: Name,
    make: (parts: Parts) => Part,
  ): ScriptParts<Input, Parts & Record<Name, Part>>;
  /** The script. It makes the parts in this order, and returns what `run` returns. */
  main<Output>(run: (parts: Parts) => Output): (input: Input) => Output;
}

/**
 * Composes a script for `runInPage` from functions that each have a topic of their own. Like every such script it is only
 * sent as text, which is written once: each function must be self-contained, but for the parts that it receives.
 */
export function composeScript<Input>(): ScriptParts<Input, { input: Input }> {
  return withParts('');
}

function withParts<Input, Parts>(made: string): ScriptParts<Input, Parts> {
  return {
    part: (name, make) => withParts(`${made}parts.${name} = (${make})(parts);\n`),
    main(run) {
      const text = `(input) => {\nconst parts = { input };\n${made}return (${run})(parts);\n}`;
      const script = () => {
        throw new Error('a composed script runs in a page only');
      };
      return Object.assign(script, { toString: () => text });
    },
  };
}
