import { bottom, center, dark, red, shadow, text } from './banner-parts.test-support.ts';

/** Banners that sites wrote themselves. */
export const ownBanners: Record<string, string> = {
  'without any name': `<div style="${bottom}"><p>${text}</p><button>Accept</button></div>`,
  'in German': `<div class="hinweis" style="${bottom}"><p>Wir verwenden Cookies, um Ihnen das beste Erlebnis auf unserer Webseite zu bieten.</p><a href="#" onclick="return false">Einverstanden</a></div>`,
  'with only OK': `<div class="bar" style="${bottom}"><span>Diese Seite verwendet Cookies.</span> <button>OK</button></div>`,
  'in a full-screen backdrop that blurs the page': `<style>.app { filter: blur(4px) } .wall { ${dark}; backdrop-filter: blur(6px) }</style><script>document.body.style.overflow = 'hidden'</script>
    <div class="wall"><div style="${center}"><h2>Ihre Privatsphäre</h2><p>Wir und unsere Partner verwenden Cookies.</p><button>Alle akzeptieren</button></div></div>`,
  'with a backdrop that has no name': `<div style="${center}"><p>${text}</p><button>Allow all</button></div><div style="${dark}"></div>`,
  'in a dialog element': `<dialog style="width:400px; height:200px; background:${red}"><p>${text}</p><button>Agree</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
  'of a custom element': `<site-notice></site-notice>${shadow(`document.querySelector('site-notice')`, `<section style="${bottom}"><p>${text}</p><button>Accept all</button></section>`)}`,
  'whose text is slotted into a drawer': `<my-drawer><p>${text}</p><button>Accept all</button></my-drawer>${shadow(`document.querySelector('my-drawer')`, `<div style="${bottom}"><slot></slot></div>`)}`,
  'that is a bar in the flow at the top': `<script>document.body.insertAdjacentHTML('afterbegin', '<div class="cookie-bar" style="height:60px; background:${red}">We use cookies. <button>Accept</button></div>')</script>`,
  'without a name, in the flow at the top': `<script>document.body.insertAdjacentHTML('afterbegin', '<div style="height:60px; background:${red}">${text} <button>Got it!</button></div>')</script>`,
  'without a name, placed absolutely at the top': `<div style="position:absolute; top:0; left:0; right:0; height:60px; background:${red}">${text} <button>Got it!</button></div>`,
  'that comes after 1.2 s by a timer': `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', \`<div id="late" style="${bottom}"><p>${text}</p><button>Accept</button></div>\`), 1200)</script>`,
  'that is shown by a class after 1.2 s': `<style>#later { ${bottom}; transform: translateY(100%); transition: transform .4s } #later.open { transform: none }</style><div id="later"><p>${text}</p><button>Accept</button></div><script>setTimeout(() => document.getElementById('later').classList.add('open'), 1200)</script>`,
  'that a framework shows again': `<div id="again" style="${bottom}"><p>${text}</p><button>Accept</button></div><script>setInterval(() => { document.getElementById('again').style.cssText = ${JSON.stringify(bottom)} }, 300)</script>`,
  'of GOV.UK, in the flow': `<script>document.body.insertAdjacentHTML('afterbegin', '<div class="govuk-cookie-banner" data-nosnippet role="region" aria-label="Cookies on Apply for X" style="background:${red}"><div class="govuk-cookie-banner__message"><h2>Cookies on Apply for X</h2><p>We use some essential cookies to make this service work.</p><button>Accept additional cookies</button><a href="#">View cookies</a></div></div>')</script>`,
  'that is an alert of Bootstrap': `<div class="alert alert-dismissible fixed-bottom" role="alert" style="${bottom}">This website uses cookies to improve your experience. <a href="#">Learn more</a><button class="btn-close" aria-label="Close"></button></div>`,
  'in a sticky header': `<script>document.body.insertAdjacentHTML('afterbegin', '<header style="position:sticky; top:0"><div class="cookie-notice" style="background:${red}; padding:10px">We use cookies. <button>OK</button></div><nav><a>Home</a></nav></header>')</script>`,
  'that fills most of the viewport': `<div style="position:fixed; inset:40px 0 0 0; background:${red}"><h2>Cookies</h2><p>${text}</p><button>Accept</button></div>`,
  'with partners, without the word cookies': `<div class="modal" style="${bottom}"><h2>We value your privacy</h2><p>We and our 123 partners store and access information on a device to show personalised ads.</p><button>Accept</button><button>More options</button></div>`,
  'with a backdrop that the body draws': `<style>body.is-open::before { content: ''; ${dark} }</style><script>document.body.classList.add('is-open')</script><div style="${bottom}"><p>${text}</p><button>Accept</button></div>`,
  'that is a popover': `<div popover="manual" id="pop" style="width:400px; height:200px; background:${red}"><p>${text}</p><button>Accept</button></div><script>pop.showPopover()</script>`,
  'that an animation brings': `<style>@keyframes in { from { opacity: 0; transform: translateY(100%) } }</style><div style="${bottom}; animation: in 1s 1s both"><p>${text}</p><button>Accept</button></div>`,
  'that a late script fills': `<script>setTimeout(() => { const box = document.createElement('div'); box.style.cssText = ${JSON.stringify(bottom)}; document.body.append(box); setTimeout(() => { box.innerHTML = '<p>${text}</p><button>Accept</button>' }, 300) }, 900)</script>`,
  'in a shadow root that is filled late': `<script>setTimeout(() => { const host = document.createElement('div'); document.body.append(host); const root = host.attachShadow({ mode: 'open' }); setTimeout(() => { root.innerHTML = '<div style="${bottom}"><p>${text}</p><button>Accept</button></div>' }, 300) }, 900)</script>`,
  'whose fields shadow the properties of its form': `<form class="cookie-consent" style="${bottom}">${['style', 'children', 'localName', 'matches', 'parentNode'].map((name) => `<input type="hidden" name="${name}">`).join('')}<p>${text}</p><button type="button">Accept</button></form>`,
};
