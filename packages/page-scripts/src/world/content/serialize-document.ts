/** The document as rendered, with open shadow roots as templates: at most `most` characters. */
export function serializeDocument({ most }: { most: number }): string {
  const { documentElement: root, doctype } = document;
  // The identifiers of the document type decide the mode of the layout.
  const type = doctype ? `${new XMLSerializer().serializeToString(doctype)}\n` : '';
  const opening = [...root.attributes].map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`).join('');
  const tag = root.tagName.toLowerCase();
  const html = `${type}<${tag}${opening}>${root.getHTML({ shadowRoots: shadowRootsIn(document) })}</${tag}>\n`;
  return html.slice(0, most);
}

function shadowRootsIn(scope: Document | ShadowRoot): ShadowRoot[] {
  const roots: ShadowRoot[] = [];
  for (const { shadowRoot } of scope.querySelectorAll('*')) {
    if (!shadowRoot) continue;
    roots.push(shadowRoot);
    // One by one: a call takes a hundred thousand arguments at most.
    for (const inner of shadowRootsIn(shadowRoot)) roots.push(inner);
  }
  return roots;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
