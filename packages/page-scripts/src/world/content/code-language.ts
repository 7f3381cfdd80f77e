/** A place where a highlighter may name the language of a block. */
interface Place {
  /** The value of an attribute for that, such as `data-lang`; empty if there is none. */
  given: string;
  classes: string;
  /** Whether the place is the block itself or its code. */
  isInner: boolean;
}

const named = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourceCode)[-\s]?\s*([a-z][\w+#.-]*)/i;

const noLanguage =
  /^(?:text|plain|plaintext|none|default|nohighlight|lines?|linenos|wrapper|highlight|numberSource|code)$/i;

const known =
  /^(?:bash|c|clojure|cpp|csharp|cs|css|dart|diff|dockerfile|elixir|erlang|go|graphql|groovy|haskell|html|http|ini|java|javascript|js|json|jsx|julia|kotlin|latex|less|lua|makefile|markdown|nginx|objc|perl|php|powershell|python|py|r|ruby|rb|rust|scala|scss|sh|shell|sql|swift|toml|ts|tsx|typescript|vb|vim|xml|yaml|yml|zsh)$/i;

/** The language that the first place names, in lower case; empty if no place names one. */
export function languageOf(places: readonly Place[]): string {
  for (const { given, classes, isInner } of places) {
    const [, language] = named.exec(classes) ?? [];
    const found = given || language || (isInner ? bareName(classes) : undefined);
    if (found && !noLanguage.test(found)) return found.toLowerCase().slice(0, 30);
    if (found && given) return '';
  }
  return '';
}

/** Highlighters also give the language alone, among other classes. */
function bareName(classes: string): string | undefined {
  const names = classes.split(/\s+/).filter(Boolean);
  const isMarked = names.includes('hljs');
  return names.find((name) =>
    isMarked ? /^(?!hljs)[a-z][\w+#.-]*$/i.test(name) && !noLanguage.test(name) : known.test(name),
  );
}
