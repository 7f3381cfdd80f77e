import { beforeAll, describe, expect, it } from '@jest/globals';
import { openForTests } from '../../worker.test-support.ts';

const { server, worker } = openForTests({}, { account: 'account' });

/** Enough text to make an element the main content. */
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
      '| Name | Size \\| kB |\n| --- | --- |\n| a<br>b | 1 |\n',
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

  it('leaves out the line numbers and the name of the language that stand beside code', async () => {
    const text = await markdown(
      `<p>See</p><div class="language-ts"><button>Copy</button><span class="lang">ts</span><pre><code>a\nb\nc</code></pre>
       <div class="line-numbers-wrapper" aria-hidden="true"><span>1</span><br><span>2</span><br><span>3</span><br></div></div>
       <p>4</p><pre><code>one line</code></pre><p>1</p>`,
    );
    expect(text).toBe('See\n\n```ts\na\nb\nc\n```\n\n4\n\n```\none line\n```\n\n1\n');
  });

  it('writes a list of sections as sections, and other lists as lists', async () => {
    const text = await markdown(
      `<ul><li><section><h2>Methods</h2><ul><li><h3>get</h3><pre>get()</pre></li></ul></section></li>
       <li><section><h2>Fields</h2><p>None.</p></section></li></ul><ul><li><h3>Card</h3><p>Text</p></li></ul>`,
    );
    expect(text).toBe('## Methods\n\n### get\n\n```\nget()\n```\n\n## Fields\n\nNone.\n\n- ### Card\n\n  Text\n');
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

describe('Markdown of', () => {
  const parts: [what: string, html: string, markdown: string][] = [
    [
      'a link around blocks is a link in its heading, or around its first text',
      `<article><a href="/docs"><h2>Install</h2><p>How.</p></a><a href="/b"><div><div>t <b>u</b></div><div>d</div></a>
       <a href="/c"><img src="/c.png"><p>C</p></a><a href="/d">One <i>line</i><ul><li>item</li></ul></a></article>`,
      '## [Install](/docs)\n\nHow.\n\n[t **u**](/b)\n\nd\n\n![](/c.png)\n\n[C](/c)\n\n[One *line*](/d)\n\n- item\n',
    ],
    [
      'a button in a heading has its text, unless it is beside the title',
      `<h2><button>What is the refund policy?</button></h2><p>Thirty days.</p>
       <h2>A long title <button>Copy</button></h2><button>Send</button>`,
      '## What is the refund policy?\n\nThirty days.\n\n## A long title\n',
    ],
    [
      'a formula that is shown as an image is TeX',
      ['inline', 'display']
        .map(
          (mode) => `<p>So <span class="mwe-math-element mwe-math-element-${mode === 'inline' ? mode : 'block'}"><span
            class="mwe-math-mathml-${mode} mwe-math-mathml-a11y" style="display:none"><math alttext="{\\displaystyle E=mc^{2}}"><mi>E</mi></math></span><img
            src="/e.svg" class="mwe-math-fallback-image-${mode}" aria-hidden="true" alt="{\\displaystyle E=mc^{2}}"></span> holds.</p>`,
        )
        .join(''),
      'So $E=mc^{2}$ holds.\n\nSo\n\n$$\nE=mc^{2}\n$$\n\nholds.\n',
    ],
    [
      'prose about tags is no HTML; only what could be markup is escaped',
      `<p>Use the &lt;main&gt; of List&lt;String&gt;, &lt;<span>script&gt;</span> &amp;copy; AT&amp;T 1 &lt; 2 <b>x</b>- snake_case _a_
       <a href="/l">l</a>1. <code>&lt;b&gt;</code></p><p>- no<br>+ item<br>1. more</p><ul><li># none</li></ul>`,
      'Use the \\<main> of List\\<String>, \\<script> \\&copy; AT&T 1 < 2 **x**- snake_case \\_a\\_ [l](/l)1. `<b>`\n\n\\- no  \n\\+ item  \n1\\. more\n\n- \\# none\n'.replace(
        / {2}$/gm,
        '',
      ),
    ],
    [
      'raised and lowered text keeps its place; references to notes are links',
      '<p>10<sup>-9</sup> H<sub>2</sub>O<sup><a href="/n">[1]</a></sup></p>',
      '10<sup>-9</sup> H<sub>2</sub>O[\\[1\\]](/n)\n',
    ],
    [
      'a frame has its code and slots',
      `<iframe srcdoc="<h2>In</h2><pre><code class=language-js>let x</code></pre><div><template shadowrootmode=open><p><slot></slot></template>Slot</div>"></iframe>`,
      '## In\n\n```js\nlet x\n```\n\nSlot\n',
    ],
    [
      'images that load late are no placeholders',
      `<img src="/spacer.gif" data-src="/real.jpg"><br><img src="/spacer.gif" data-srcset="/set.jpg 1x, /set-2.jpg 2x"><br>
       <img src="/own.jpg" data-src="/{width}.jpg">`,
      '![](/real.jpg)\n![](/set.jpg)\n![](/own.jpg)\n',
    ],
    [
      'code names its language as highlighters do',
      '<pre><code class="hljs python">a</code></pre><pre><code class="ruby">b</code></pre><pre class="wide"><code class="block">c</code></pre>',
      '```python\na\n```\n\n```ruby\nb\n```\n\n```\nc\n```\n',
    ],
    [
      'tables with blocks and spans',
      `<table><caption>A &lt;b&gt;</caption><tr><th colspan="2">Name</th><th>Size</th></tr>
       <tr><td rowspan="2"><p>b1</p><p>b2</p></td><td><pre>one|\ntwo</pre></td><td><ul><li>i</li><li>j</li></ul></td></tr>
       <tr><td><table><tr><td>in</td><td>ner</td></tr></table></td></tr></table>`,
      'A \\<b>\n\n| Name |  | Size |\n| --- | --- | --- |\n| b1<br>b2 | `one\\|`<br>`two` | - i<br>- j |\n|  | in, ner |  |\n',
    ],
    [
      'tables for the layout are their blocks',
      '<table><tr><td><h2>A</h2></td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>',
      '## A\n\n| | |\n| --- | --- |\n| 1 | 2 |\n',
    ],
    [
      'lists with tasks and numbers of their own',
      `<ul><li><input type="checkbox" checked> Done</li><li><label><input type="checkbox">Open</label></li></ul>
       <ol start="5"><li>five</li><li value="9">nine</li><li>ten</li></ol>`,
      '- [x] Done\n- [ ] Open\n\n5. five\n9. nine\n10. ten\n',
    ],
    [
      'emphasis, code and links that only an icon shows',
      `<p><b>a</b><strong>b</strong> <b>c<b>d</b></b> <code>x <a href="/y">y</a></code> <a href="/g" aria-label="Git"><svg></svg></a>
       <a href="#s" aria-label="Section"><svg></svg></a></p>`,
      '**ab** **cd** `x y` [Git](/g)\n',
    ],
    ['amounts beside formulas', '<p>$5 and <math alttext="x"></math></p>', '\\$5 and $x$\n'],
  ];
  // A formula in the page changes how amounts are written.
  const withoutFormulas: typeof parts = [
    [
      'text that is shown to some and read to others is there once; icons are not',
      `<style>.sr { position:absolute; width:1px; height:1px; overflow:hidden } .material { font-family: 'Material Icons' }</style>
       <p>Price: <span class="sr">$19.99</span><span aria-hidden="true">$19<sup>99</sup></span> each, <i aria-hidden="true">not</i>
       <i class="material" aria-hidden="true">home</i><a href="/x" aria-hidden="true">¶</a> more<span class="sr">Skip</span>.</p>`,
      'Price: $19.99 each, *not* more.\n',
    ],
    ['amounts', '<p>$5 and $6</p>', '$5 and $6\n'],
  ];
  describe.each([
    ['beside formulas', parts],
    ['without formulas', withoutFormulas],
  ])('parts of a page %s:', (_, all) => {
    let texts: string[];
    beforeAll(async () => {
      const text = await markdown(all.map(([, html]) => html).join('<hr>'));
      texts = text.replaceAll(server.url('/').slice(0, -1), '').split('\n---\n\n');
    });

    it.each(all)('%s', (what, _, expected) => {
      const text = texts[all.findIndex(([name]) => name === what)];
      expect(text?.replace(/\| +(?=\|)/g, '| ').replaceAll('|  |', '| |')).toBe(expected.replaceAll('|  |', '| |'));
    });
  });

  const shadowed = (body: string) => `<!doctype html><title>T</title><body>${body}`;
  it.each([
    [
      'a dialog',
      shadowed('<div role="dialog" aria-modal="true"><p>A photo of a cat, seen from above.</p></div>'),
      'A photo of a cat, seen from above.\n',
    ],
    ['navigation', shadowed('<h1>Map</h1><nav><ul><li>One</li><li>Two</li></ul></nav>'), '# Map\n\n- One\n- Two\n'],
    [
      'frames',
      '<frameset cols="1,*"><frame src="/docs/one"><frameset><frame src="/docs/two"></frameset></frameset>',
      'First\n\nSecond\n',
    ],
  ])('a page of nothing but %s is not empty', async (_, page, expected) => {
    server.serve({ '/docs/one': '<p>First', '/docs/two': '<p>Second' });
    expect((await read(page)).text).toBe(expected);
  });

  it.each([
    [
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title><g><text>North</text></g></svg>',
      'Plan\n\nNorth\n',
    ],
    ['application/xml', '<rss><item a="1">News</item></rss>', '```xml\n<rss><item a="1">News</item></rss>\n```\n'],
  ])('a document of type %s has its text', async (type, body, expected) => {
    server.serve({ '/docs/page': { body, headers: { 'Content-Type': type } } });
    const { file } = await worker.render('content', { url: server.url('/docs/page') });
    expect(file.bytes.toString()).toBe(expected);
  });

  it('a page with too many levels lacks only the deepest, and says so', async () => {
    const { text, report } = await read(
      `<!doctype html><main>${filler}<div>${'<div>line '.repeat(400)}${'</div>'.repeat(400)}</div><p>After</p></main>`,
    );
    expect(text).toMatch(/line\n[\s\S]*After\n$/);
    expect(report.quality?.reasons).toEqual(['truncated']);
    expect((await read('<main><p>Short')).report.quality?.reasons).toEqual([]);
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
    for (const field of ['include_selectors', 'exclude_selectors']) {
      expect(await worker.failRender('content', { url: server.url('/docs/page'), [field]: ['p', 'a['] })).toMatchObject(
        { code: 'SELECTOR_NOT_FOUND', message: `The option ${field}.1 is not a CSS selector: "a[".` },
      );
    }
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
       ${section('Host header poisoning')}${section('Comment sidebar')}${section('Fixes')}
       <div class="page-header"><h2 class="title header"><a href="#4">4.</a> Release notes</h2></div>${filler.repeat(3)}</div></div>`,
    );
    expect(text.match(/^#+ .*/gm)).toEqual([
      '# Release notes',
      '## Host header poisoning',
      '## Comment sidebar',
      '## Fixes',
      expect.stringMatching(/^## \[4\.\]\(.*#4\) Release notes$/),
    ]);
    expect(text).not.toContain('Buy it');
  });

  it('keeps numbered sections, those of little but code, and the title in a heading of the second level', async () => {
    const section = (title: string, id: string, content: string) =>
      `<div class="section" id="${id}"><div class="header">Next: <a href="#next">Another section</a> [<a href="#c">Contents</a>]</div>
       <h3>${title}</h3>${content}</div>`;
    const idioms = `<p><a href="/man/tar">The utility tar of the GNU project, with all of its options</a>:</p><pre>$ tar -cvJf archive.tar.xz .</pre>
       <p><a href="/man/cpio">The utility cpio of the GNU project, with all of its options</a>:</p><pre>$ cpio -ov</pre>`;
    const { text } = await read(
      `<!doctype html><title>Archives: Reference</title><body>
       <table><tr><td><h2><span>Archives</span></h2><p>Archives — tools</p></td><td></td></tr></table>
       ${section('1.1. Tools', 'tools', `${filler.repeat(6)}<pre>tar --help</pre>`)}
       ${section('1.2. Comments', 'Comments', filler)}
       ${section('1.3. Idioms', 'idioms', idioms)}
       ${section('1.4. More', 'more', `${filler.repeat(6)}<pre>cpio --help</pre>`)}${section('1.5. See also', 'see', '<p><a href="/a">Another page</a></p>')}`,
    );
    expect(text.match(/^#+ .*/gm)).toEqual([
      '## Archives',
      '### 1.1. Tools',
      '### 1.2. Comments',
      '### 1.3. Idioms',
      '### 1.4. More',
      '### 1.5. See also',
    ]);
    expect(text).toContain('tar -cvJf archive.tar.xz .');
    expect(text).not.toContain('Next:');
    const numberless = `${section('Tools', '', `${filler.repeat(6)}<pre>tar --help</pre>`)}${section('Idioms', '', idioms)}`;
    const page = await read(`<body>${numberless}${section('More', '', `${filler.repeat(6)}<pre>cpio --help</pre>`)}`);
    expect(page.text.match(/^#+ .*/gm)).toEqual(['### Tools', '### Idioms', '### More']);
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

  it('as text with raised and lowered numbers in their place', async () => {
    const body =
      '<p>10<sup>-9</sup> m<sup>2</sup> of H<sub>2</sub>O, the 1<sup>st</sup> time<sup><a href="/n">[1]</a></sup>, n<sup>−12</sup></p>';
    expect((await read(`<main>${body}</main>`, { format: 'text' })).text).toBe(
      '10⁻⁹ m² of H₂O, the 1st time[1], n⁻¹²\n',
    );
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

  it('as metadata of a page that nests its data deep, and names its fields as objects do', async () => {
    const nested = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
    const { text } = await read(
      `<meta name="description" content=" "><meta name="description" content="Second"><meta property="og:constructor" content="c">
       <script type="application/ld+json">${nested}</script><script type="application/ld+json">${'['.repeat(5000)}${']'.repeat(5000)}</script>`,
      { format: 'metadata' },
    );
    const { description, open_graph, json_ld } = JSON.parse(text);
    expect([description, open_graph]).toEqual(['Second', { constructor: 'c' }]);
    expect(json_ld.map((block: unknown) => JSON.stringify(block))).toEqual([nested]);
  });

  it('as links, with the words of their blocks apart', async () => {
    const { text } = await read('<main><p>Text</p><a href="/a"><h2>Ins<b>tall</b></h2><p>How.</p></a>', {
      format: 'links',
    });
    expect(JSON.parse(text).links).toMatchObject([{ text: 'Install How.' }]);
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
  const cases: [type: string, html: string, value: unknown][] = [
    ['number', '.99', 0.99],
    ['number', 'SKU-123', 123],
    ['number', 'No.5', 5],
    ['number', '-$1,234.50', -1234.5],
    ['number', '−5', -5],
    ['number', '3.5e6', 3_500_000],
    ['number', '€ 12.000', 12_000],
    ['number', '12,345', 12_345],
    ['number', '1.234.567', 1_234_567],
    ['number', '1 234,5', 1234.5],
    ['number', '0.125', 0.125],
    ['number', '1.125', 1.125],
    ['number', '<i lang="de">1.125</i>', 1125],
    ['number', '<i lang="de">1,125</i>', 1.125],
    ['number', 'Rooms 3 4', 3],
    ['date', '5', null],
    ['date', 'Room 2024', null],
    ['date', '2024', '2024-01-01T00:00:00.000Z'],
    ['date', '5.1.2024', '2024-01-05T00:00:00.000Z'],
    ['date', '2026-01-02 03:04Z', '2026-01-02T03:04:00.000Z'],
    ['date', 'January 5, 2024 10:00 UTC', '2024-01-05T10:00:00.000Z'],
    ['url', '<a>B</a>', null],
    ['url', 'https://example.com', 'https://example.com/'],
    ['text', 'a<style>p {}</style><b> b<script>1</script></b>', 'a b'],
  ];

  it('reads values as they are written, and none where there is none', async () => {
    const page = cases.map(
      ([, html], index) => `<p id="f${index}">${html.startsWith('<') ? html : `<i>${html}</i>`}</p>`,
    );
    const fields = cases.map(([type], index) => [index, { selector: `#f${index} > *`, type }]);
    const { file } = await read(page.join(''), { extract: Object.fromEntries(fields) });
    const values = cases.map(([type, html], index) => [type, html, file.extracted?.values[index]]);
    expect(values).toEqual(cases);
    const unread = cases.flatMap(([, , value], index) => (value === null ? [String(index)] : []));
    expect(Object.keys(file.extracted?.errors ?? {})).toEqual(unread);
  });

  it('reads the outer element itself as :scope', async () => {
    const fields = { text: { selector: ':scope' }, url: { selector: ':scope', type: 'url' } };
    const { file } = await read('<a href="https://example.com/a">A</a> <a href="https://example.com/b">B</a>', {
      extract: { links: { selector: 'a', all: true, fields } },
    });
    expect(file.extracted?.values.links).toEqual([
      { text: 'A', url: 'https://example.com/a' },
      { text: 'B', url: 'https://example.com/b' },
    ]);
  });

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

  it('has a table with more cells than can be written', async () => {
    const table = `<table><tr>${'<td>x'.repeat(1_000)}${'<tr><td>y'.repeat(1_000)}<tr><td>z</table>`;
    expect(await markdown(`${filler}${table}<p>After</p>`)).toMatch(/z\s+After\n$/);
  });
});
