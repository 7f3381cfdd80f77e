import { describe, expect, it } from '@jest/globals';
import { openForTests } from '../../worker.test-support.ts';

const { server, worker } = openForTests();

/** Content with so much text that it is the main content. */
const filler =
  '<p>A paragraph of plain text that stands here so that the page has something to say, at some length.</p>';

async function read(html: string, options: Record<string, unknown> = {}) {
  server.serve({ '/docs/page': html });
  const { file, report } = await worker.render('content', { url: server.url('/docs/page'), ...options });
  return { text: file.bytes.toString('utf8'), file, report };
}
const markdown = async (body: string, options?: Record<string, unknown>) =>
  (await read(`<!doctype html><title>A page</title><main>${body}</main>`, options)).text;

describe('Markdown', () => {
  it('has headings, emphasis, links and images with absolute URLs', async () => {
    const text = await markdown(
      `<h1>Title <a class="headerlink" href="#title">¶</a></h1>
       <p>Some <b>bold</b>, <i>slanted</i> and <code>code()</code> text, <a href="../up?a=b#c">a link</a>,
       <a href="javascript:alert(1)">no link</a>.</p><hr>
       <img src="pic.png" alt="A drawing"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/late.png">`,
    );
    expect(text).toBe(
      [
        '# Title',
        `Some **bold**, *slanted* and \`code()\` text, [a link](${server.url('/up?a=b#c')}), no link.`,
        '---',
        `![A drawing](${server.url('/docs/pic.png')})![](${server.url('/late.png')})`,
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    );
  });

  it('nests lists by the width of their markers', async () => {
    const text = await markdown(
      '<ul><li>One<ul><li>Deep<ol start="9"><li>Nine</li><li>Ten<p>More of ten.</p></li></ol></li></ul></li><li>Two</li></ul>',
    );
    expect(text).toBe('- One\n  - Deep\n    9. Nine\n    10. Ten\n\n        More of ten.\n- Two\n');
  });

  it('keeps tables', async () => {
    const text = await markdown(
      '<table><thead><tr><th>Name</th><th>Size | kB</th></tr></thead><tbody><tr><td>a<br>b</td><td>1</td></tr></tbody></table>',
    );
    expect(text.replace(/ +/g, ' ').replace(/-+/g, '---')).toBe(
      '| Name | Size \\| kB |\n| --- | --- |\n| a <br>b | 1 |\n',
    );
  });

  it('keeps code as it is, with its language, without line numbers', async () => {
    const text = await markdown(
      `<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span>def f(x):
<span class="linenos">2</span>    return x * 2</pre></div></div>
       <pre><code class="hljs language-js">const a = '\`\`\`';\n\n  b_c();</code></pre>
       <table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>one\ntwo</pre></td></tr></table>`,
    );
    expect(text).toBe(
      "```python\ndef f(x):\n    return x * 2\n```\n\n```js\nconst a = '```';\n\n  b_c();\n```\n\n```\none\ntwo\n```\n",
    );
  });

  it('writes formulas as TeX', async () => {
    const katex = `<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation
      encoding="application/x-tex">x^2_i</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2i</span></span>`;
    const mathjax = `<mjx-container display="true"><mjx-math></mjx-math><mjx-assistive-mml><math display="block"><mfrac><mi>a</mi><mi>b</mi></mfrac></math></mjx-assistive-mml></mjx-container>`;
    const old = '<span class="MathJax">y=1</span><script type="math/tex">y=1</script>';
    expect(await markdown(`<p>So ${katex} and ${old} hold.</p>${mathjax}`)).toBe(
      'So $x^2_i$ and $y=1$ hold.\n\n$$\n\\frac{a}{b}\n$$\n',
    );
  });

  it('includes open shadow roots with their slots, and frames of the same origin', async () => {
    server.serve({ '/docs/frame': '<p>In the <a href="x">frame</a>.</p>' });
    const text = await markdown(
      `<my-card><span slot="title">Slotted</span> rest</my-card><iframe src="frame"></iframe>
       <script>customElements.define('my-card', class extends HTMLElement { constructor() { super();
         this.attachShadow({ mode: 'open' }).innerHTML = '<h2><slot name="title"></slot></h2><p>Shadow</p><slot></slot>'; } });</script>`,
    );
    expect(text).toBe(`## Slotted\n\nShadow\n\nrest\n\nIn the [frame](${server.url('/docs/x')}).\n`);
  });

  it('leaves out what a visitor does not see', async () => {
    const text = await markdown(
      `<p style="display:none">hidden</p><p hidden>hidden</p><div style="visibility:hidden">hidden<b style="visibility:visible">Seen</b></div>
       <a style="position:absolute;left:-9999px" href="#c">Skip</a><style>p {}</style><noscript>hidden</noscript>
       <template>hidden</template><details><summary>More</summary>Closed, but content</details>`,
    );
    expect(text).toBe('**Seen**\n\nMore\n\nClosed, but content\n');
  });
});

describe('the main content', () => {
  const page = `<!doctype html><body><header><nav><a href="/">Home</a></nav></header>
    <div class="cookie" role="dialog">We use cookies</div>
    <main><nav>On this page</nav><h1>Title</h1>${filler}<aside>Related</aside><div class="ad">Advert</div></main>
    <footer>Imprint</footer>`;
  const words = 'A paragraph of plain text that stands here so that the page has something to say, at some length.';

  it('is without navigation, dialogs, side bars and footers', async () => {
    expect((await read(page, { exclude_selectors: ['.ad'] })).text).toBe(`# Title\n\n${words}\n`);
  });

  it('can be the full page, or what selectors name', async () => {
    const { text } = await read(page, { only_main_content: false });
    for (const part of ['Home', 'We use cookies', 'On this page', '# Title', 'Related', 'Imprint']) {
      expect(text).toContain(part);
    }
    expect((await read(page, { include_selectors: ['h1', 'footer'] })).text).toBe('# Title\n\nImprint\n');
    const failed = await worker.failRender('content', {
      url: server.url('/docs/page'),
      include_selectors: ['.none'],
    });
    expect(failed.code).toBe('SELECTOR_NOT_FOUND');
  });

  it('of a page that marks nothing is found by its text', async () => {
    const { text } = await read(
      `<!doctype html><body><div class="menu"><a href="/1">One</a><a href="/2">Two</a></div>
       <div class="post"><h2>Heading</h2>${filler.repeat(8)}</div><div class="sidebar"><a href="/side">Side</a></div>`,
    );
    expect(text).toContain('Heading');
    expect(text).toContain(words);
    expect(text).not.toContain('Side');
  });

  it('keeps sections whose ids are names of the layout, the title of the page, and no menu', async () => {
    const section = (title: string) =>
      `<div class="section" id="s-${title.toLowerCase().replaceAll(' ', '-')}"><h2>${title}</h2>${filler.repeat(3)}</div>`;
    const { text } = await read(
      `<!doctype html><title>Release notes — The Site</title><body><div id="hd"><h1><a href="/">The Site</a></h1></div>
       <div class="menu"><ul><li><a href="/a">Buy it</a></li><li><a href="/b">About</a></li></ul></div>
       <div id="bd"><div class="section" id="release-notes"><h1>Release notes</h1>${filler}
       ${section('Host header poisoning')}${section('Comment sidebar')}${section('Fixes')}</div></div>`,
    );
    expect(text.match(/^#+ .*/gm)).toEqual([
      '# Release notes',
      '## Host header poisoning',
      '## Comment sidebar',
      '## Fixes',
    ]);
    expect(text).not.toContain('Buy it');
  });
});

describe('other formats', () => {
  const page = `<!doctype html><html lang="de"><head><title>Titel</title><meta name="description" content="Was  es ist">
    <link rel="canonical" href="/kanon"><meta property="og:image" content="/bild.png"><meta property="og:image" content="/zwei.png">
    <meta name="twitter:card" content="summary"><link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="alternate" type="application/rss+xml" title="Neues" href="/feed"><link rel="alternate" hreflang="en" href="/en">
    <script type="application/ld+json">{"@type": "Article"}</script><script type="application/ld+json">{broken</script></head>
    <body><main><h1>Kopf</h1><p onclick="x()" class="a">Ein <a href="/innen" rel="nofollow">Verweis</a> und
    <a href="https://example.org/">noch einer</a>.</p><ul><li>Punkt</li></ul></main></body></html>`;

  it('as text', async () => {
    expect((await read(page, { format: 'text' })).text).toBe('Kopf\n\nEin Verweis und noch einer.\n\n- Punkt\n');
  });

  it('as HTML without scripts, classes and handlers', async () => {
    const { text } = await read(page, { format: 'html' });
    expect(text).toContain('<html lang="de">\n<head><meta charset="utf-8"><title>Titel</title></head>');
    expect(text).toContain(`<p>Ein <a rel="nofollow" href="${server.url('/innen')}">Verweis</a>`);
    expect(text).not.toMatch(/onclick|class=|<script/);
  });

  it('as metadata', async () => {
    expect(JSON.parse((await read(page, { format: 'metadata' })).text)).toMatchObject({
      title: 'Titel',
      description: 'Was es ist',
      canonical: server.url('/kanon'),
      language: 'de',
      open_graph: { image: [server.url('/bild.png'), server.url('/zwei.png')] },
      twitter: { card: 'summary' },
      json_ld: [{ '@type': 'Article' }],
      icons: [{ url: server.url('/icon.svg'), rel: 'icon', type: 'image/svg+xml' }],
      feeds: [{ url: server.url('/feed'), title: 'Neues' }],
      alternates: [{ url: server.url('/en'), language: 'en' }],
    });
  });

  it('as links', async () => {
    expect(JSON.parse((await read(page, { format: 'links' })).text)).toEqual({
      url: server.url('/docs/page'),
      links: [
        { url: server.url('/innen'), text: 'Verweis', rel: ['nofollow'], internal: true },
        { url: 'https://example.org/', text: 'noch einer', rel: [], internal: false },
      ],
    });
  });
});

describe('extract', () => {
  it('reads values by type, lists and nested fields, and explains what it cannot read', async () => {
    const { file } = await read(
      `<h1> A  shop </h1><ul><li><b>Pen</b> <i>1.234,50 €</i><a href="/pen"></a><time datetime="2026-01-02">x</time></li>
       <li><b>Ink</b> <i>free</i></li></ul><p id="p">a <u>b</u></p>`,
      {
        extract: {
          title: { selector: 'h1' },
          sold_out: { selector: '.sold-out', type: 'boolean' },
          html: { selector: '#p', type: 'html' },
          missing: { selector: '.none' },
          broken: { selector: 'a[' },
          items: {
            selector: 'li',
            all: true,
            fields: {
              name: { selector: 'b' },
              price: { selector: 'i', type: 'number' },
              link: { selector: 'a', type: 'url' },
              date: { selector: 'time', type: 'date' },
            },
          },
        },
      },
    );
    expect(file.extracted).toEqual({
      values: {
        title: 'A shop',
        sold_out: false,
        html: 'a <u>b</u>',
        missing: null,
        broken: null,
        items: [
          { name: 'Pen', price: 1234.5, link: server.url('/pen'), date: '2026-01-02T00:00:00.000Z' },
          { name: 'Ink', price: null, link: null, date: null },
        ],
      },
      errors: {
        missing: 'nothing matches .none',
        broken: 'is not a valid selector: a[',
        'items.1.price': 'is not a number: free',
        'items.1.link': 'nothing matches a',
        'items.1.date': 'nothing matches time',
      },
    });
  });
});

describe('a hostile page', () => {
  it('cannot run scripts in the reader, or keep it busy', async () => {
    const { text } = await read(
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="require-trusted-types-for 'script'">
       <main><form><input name="childNodes"><input name="attributes"><input name="getAttribute"><p>In a form</p></form>
       <svg><script>alert(1)</script></svg>${filler}${'<div>'.repeat(2_000)}deep</main>
       <script>Node.prototype.appendChild = Element.prototype.getAttribute = () => { throw 1 };
       document.createElement = null; JSON.parse = null; window.captureCopy = 1;</script>`,
    );
    expect(text).toContain('In a form');
    expect(text).not.toContain('alert');
  });
});
