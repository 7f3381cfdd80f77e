import { describe, expect, it } from '@jest/globals';
import { isStill } from './still-document.ts';

const still = (html: string | undefined, options: object = {}) => {
  const asGiven = { click: [], hide_selectors: [], block_ads: false, block_cookie_banners: false, is_mobile: false };
  return isStill({ ...asGiven, ...(html !== undefined && { html }), ...options });
};

describe('a still document', () => {
  it.each([
    '<!doctype html><title>Invoice</title><style>p { color: red }</style><p>Total on account = 12 EUR',
    '<meta charset="utf-8"><meta name="viewport" content="width=800"><img src="https://example.com/logo.png">',
    '<svg viewBox="0 0 1 1"><use href="#a"/></svg><table><tr><td>1',
    '<style>p { color: red }</style><svg></svg><p title="Terms"><a href="/a?b=1&amp;c=2">&#8364; 12',
  ])('is %j', (html) => expect(still(html)).toBe(true));

  it.each([
    '<SCRIPT>1</script>',
    '<svg><script>1</script></svg>',
    '<img src=x onerror=alert(1)>',
    '<img/src="x"/onerror\n=\talert(1)>',
    '<p title="x"onclick="1">',
    '<body OnLoad = "1">',
    '<svg onload=1>',
    '<iframe srcdoc="x"></iframe>',
    '<object data="x"></object>',
    '<meta charset=utf-8 http-equiv="Content-Security-Policy" content="x">',
    '<meta name="referrer" content="no-referrer">',
    '<base href="https://example.com/">',
    '<link rel="stylesheet" href="https://example.com/a.css">',
    '<style>@import "a.css";</style>',
    '<style>@keyframes a { to { opacity: 1 } }</style>',
    '<style>@-webkit-keyframes a { to { opacity: 1 } }</style>',
    '<style>@\\69mport "a.css";</style>',
    '<p style="animation-timeline: view()">',
    '<img loading="lazy" src="https://example.com/a.png">',
    '<a href="javascript:1">a</a>',
    '<meta name="color-scheme" content="dark">',
    '<meta name="color&#45;scheme" content="dark">',
    "<meta name='color&#x2d;scheme' content=dark>",
    '<meta name=color&#45;scheme content=dark>',
    '<img src="data&colon;image/gif;base64,R0">',
    '<svg><style>p { anim&#97;tion: a 1s }</style></svg>',
    '<style title="a">p { color: red }</style>',
    '<style media=all TITLE = a>p { color: red }</style>',
    '<noscript>a</noscript>',
    '<input autofocus>',
    '<marquee>a</marquee>',
    '<img src="data:image/gif;base64,R0">',
    '<style>@media (scripting: none) { p { color: red } }</style>',
    '<svg><animate attributeName="x"/></svg>',
  ])('is not %j', (html) => expect(still(html)).toBe(false));

  it.each([
    { css: 'p { color: red }' },
    { js: '1' },
    { click: ['#a'] },
    { hide_selectors: ['p'] },
    { block_ads: true },
    { block_cookie_banners: true },
    { is_mobile: true },
  ])('is none with %j', (options) => expect(still('<p>', options)).toBe(false));

  it.each(['=a', '<style ', '="', "='", '<svg&#', 'on'])('is recognized quickly, even with many %j', (part) => {
    expect(still(part.repeat(2_000_000 / part.length))).toBe(true);
  });

  it('is never the page of a URL', () => expect(still(undefined)).toBe(false));
});
