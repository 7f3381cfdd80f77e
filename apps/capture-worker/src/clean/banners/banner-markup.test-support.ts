/**
 * Banners without a reject button, with the ids, classes and nesting of the consent platforms' own markup. What is to
 * disappear is red; backdrops are half black.
 */

const red = '#ff0000';
const bottom = `position:fixed; left:0; right:0; bottom:0; height:180px; z-index:2147483645; background:${red}`;
const center = `position:fixed; left:100px; top:100px; width:600px; height:400px; z-index:2147483645; background:${red}`;
const dark = 'position:fixed; inset:0; z-index:2147483644; background:rgba(0,0,0,.5)';
const text = 'We use cookies to personalise content and ads, and to analyse our traffic.';

/** A shadow root that a script makes, as consent platforms do. */
const shadow = (host: string, content: string, mode = 'open') =>
  `<script>{ const host = ${host}; host.attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(content)}; }</script>`;

export const platformBanners: Record<string, string> = {
  OneTrust: `<style>.ot-overflow-hidden { overflow: hidden }</style><script>document.documentElement.classList.add('ot-overflow-hidden')</script>
    <div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter ot-fade-in" style="${dark}"></div>
    <div id="onetrust-banner-sdk" class="otFlat bottom ot-wo-title" tabindex="0" role="region" aria-label="Cookie banner" style="${bottom}">
      <div role="alertdialog" aria-describedby="onetrust-policy-text" aria-label="Privacy"><div class="ot-sdk-container"><div class="ot-sdk-row">
        <div id="onetrust-group-container" class="ot-sdk-eight ot-sdk-columns"><div id="onetrust-policy"><div id="onetrust-policy-text">By clicking “Accept All Cookies”, you agree to the storing of cookies on your device.</div></div></div>
        <div id="onetrust-button-group-parent"><div id="onetrust-button-group"><button id="onetrust-accept-btn-handler">Accept All Cookies</button></div></div>
      </div></div></div></div></div>`,
  Cookiebot: `<div id="CybotCookiebotDialogBodyUnderlay" style="${dark}; pointer-events:none"></div>
    <div id="CybotCookiebotDialog" name="CybotCookiebotDialog" role="dialog" aria-modal="true" class="CybotEdge" style="${center}">
      <div class="CybotCookiebotDialogContentWrapper"><div id="CybotCookiebotDialogBody"><h2 id="CybotCookiebotDialogBodyContentTitle">This website uses cookies</h2><div id="CybotCookiebotDialogBodyContentText">${text}</div></div>
      <div id="CybotCookiebotDialogFooter"><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll">Allow all</button></div></div></div>`,
  CookieYes: `<div class="cky-overlay" style="${dark}"></div><div class="cky-consent-container cky-popup-center" tabindex="0" aria-label="We value your privacy" role="region" style="${center}">
      <div class="cky-consent-bar" data-cky-tag="notice"><div class="cky-notice"><p class="cky-title" role="heading">We value your privacy</p><div class="cky-notice-des"><p>${text}</p></div><div class="cky-notice-btn-wrapper"><button class="cky-btn cky-btn-accept" data-cky-tag="accept-button">Accept All</button></div></div></div></div>`,
  Didomi: `<style>body.didomi-popup-open { overflow: hidden !important }</style><script>document.body.classList.add('didomi-popup-open')</script>
    <div id="didomi-host" data-nosnippet="true"><div class="didomi-popup-container"><div id="didomi-popup" class="didomi-popup-backdrop didomi-notice-popup" style="${dark}">
      <div class="didomi-popup-view" role="dialog" aria-modal="true" style="margin:100px auto; width:500px; height:300px; background:${red}"><div class="didomi-popup-notice-text"><p>With your agreement, we and our partners use cookies to store and access personal data.</p></div><div class="didomi-popup-notice-buttons"><button id="didomi-notice-agree-button">Agree and close</button></div></div></div></div></div>`,
  InMobi: `<div class="qc-cmp-cleanslate css-1s4hzrg" id="qc-cmp2-container"><div id="qc-cmp2-main"><div class="qc-cmp2-container" style="${dark}"><div id="qc-cmp2-ui" role="dialog" aria-modal="true" style="${center}">
      <div class="qc-cmp2-summary-info"><p>We and our 842 partners store and/or access information on a device, such as cookies.</p></div><div class="qc-cmp2-summary-buttons"><button mode="primary" class="css-47sehv">AGREE</button></div></div></div></div></div>`,
  Osano: `<div class="osano-cm-window" dir="ltr"><div role="dialog" aria-label="Cookie Consent Banner" class="osano-cm-dialog osano-cm-dialog--type_bar" style="${bottom}">
      <div class="osano-cm-dialog__content osano-cm-content"><span class="osano-cm-content__message">This website stores data such as cookies to enable site functionality.</span></div><div class="osano-cm-dialog__buttons"><button class="osano-cm-accept-all osano-cm-button">Accept All</button></div></div></div>`,
  Complianz: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-show banner-1 optin cmplz-bottom cmplz-categories-type-view-preferences" role="dialog" aria-modal="true" style="${bottom}">
      <div class="cmplz-header"><div class="cmplz-title">Manage consent</div></div><div class="cmplz-body"><div class="cmplz-message">${text}</div></div><div class="cmplz-buttons"><button class="cmplz-btn cmplz-accept">Accept</button></div></div></div>`,
  Klaro: `<div id="klaro"><div class="klaro"><div class="cookie-modal"><div class="cm-bg" style="${dark}"></div><div class="cm-modal cm-klaro" style="${center}"><div class="cm-header"><h1 class="title">Services we would like to use</h1></div><div class="cm-body"><p>Here you can assess and customize the services that we use on this website. You're in charge of your privacy!</p></div><div class="cm-footer"><div class="cm-footer-buttons"><button class="cm-btn cm-btn-success cm-btn-accept-all" type="button">Accept all</button></div></div></div></div></div></div>`,
  tarteaucitron: `<style>body.tarteaucitron-modal-open #tarteaucitronRoot::before { content: " "; position: fixed; inset: 0; z-index: 100000; backdrop-filter: blur(8px); background: rgba(0,0,0,.5) }</style><script>document.body.classList.add('tarteaucitron-modal-open')</script>
    <div id="tarteaucitronRoot" class="tarteaucitronSize-middle"><div id="tarteaucitronAlertBig" class="tarteaucitronAlertBigBottom tarteaucitron-display-block" role="alert" style="${bottom}"><div class="tarteaucitronAlertBigWrapper"><span id="tarteaucitronDisclaimerAlert">Ce site utilise des cookies et vous donne le contrôle sur ceux que vous souhaitez activer</span><span class="tarteaucitronAlertBigBtnWrapper"><button type="button" id="tarteaucitronPersonalize2" class="tarteaucitronCTAButton tarteaucitronAllow">OK, tout accepter</button></span></div></div></div>`,
  iubenda: `<div id="iubenda-cs-banner" class="iubenda-cs-default-floating iubenda-cs-overlay iubenda-cs-center iubenda-cs-slidein iubenda-cs-visible" role="alertdialog" aria-modal="true" style="${dark}"><div class="iubenda-cs-container" style="margin:100px; background:${red}; height:300px"><div class="iubenda-cs-content"><div id="iubenda-cs-title">Informativa</div><div id="iubenda-cs-paragraph"><p class="iub-p">Noi e terze parti selezionate utilizziamo cookie o tecnologie simili.</p></div><div class="iubenda-cs-opt-group"><button class="iubenda-cs-accept-btn iubenda-cs-btn-primary" tabindex="0" role="button">Accetta</button></div></div></div></div>`,
  Borlabs: `<div id="BorlabsCookieBox" class="BorlabsCookie" role="dialog" aria-modal="true" style="position:relative; z-index:9999"><div class="middle-center" style="${dark}"><div class="_brlbs-box-wrap"><div class="_brlbs-box" style="${center}"><div class="cookie-box"><span class="_brlbs-h3">Datenschutzeinstellungen</span><p>Wenn Sie unter 16 Jahre alt sind und Ihre Einwilligung geben möchten, müssen Sie Ihre Erziehungsberechtigten um Erlaubnis bitten. Wir verwenden Cookies auf unserer Website.</p><a href="#" class="_brlbs-btn _brlbs-btn-accept-all _brlbs-cursor">Alle akzeptieren</a></div></div></div></div></div>`,
  'Google Funding Choices': `<div class="fc-consent-root" style="position:relative; z-index:2147483644"><div class="fc-dialog-overlay" style="${dark}"></div><div class="fc-dialog-container" style="${center}"><div class="fc-dialog fc-choice-dialog" role="dialog" aria-label="example.com asks for your consent to use your personal data"><div class="fc-dialog-scrollable-content"><h1 class="fc-dialog-headline-text">example.com asks for your consent to use your personal data to:</h1></div><div class="fc-footer-buttons-container"><button class="fc-button fc-cta-consent fc-primary-button" aria-label="Consent"><p class="fc-button-label">Consent</p></button></div></div></div></div>`,
  TrustArc: `<div class="truste_overlay" style="${dark}"></div><div id="trustarc-banner-overlay"></div><div id="truste-consent-track" style="${bottom}"><div id="truste-consent-content"><div id="truste-consent-text">This website uses cookies for analytics and advertising. By using it, you agree.</div><div id="truste-consent-buttons"><button id="truste-consent-button">Agree and Proceed</button></div></div></div>`,
  Termly: `<div id="termly-code-snippet-support"><div class="t-consentPrompt t-reset termly-styles-root" role="alertdialog" style="${bottom}"><div class="termly-styles-message">We use essential cookies to make our site work. With your consent, we may also use non-essential cookies.</div><div class="termly-styles-buttons"><button data-tid="banner-accept" class="t-acceptAllButton">Accept</button></div></div></div>`,
  Axeptio: `<div id="axeptio_overlay" class="axeptio_mount"></div>${shadow(`document.getElementById('axeptio_overlay')`, `<div class="axeptio_widget" role="dialog" style="${center}"><h2>Bonjour, c'est nous… les Cookies !</h2><p>On a attendu d'être sûrs que le contenu de ce site vous intéresse avant de vous déranger.</p><button>OK pour moi</button></div>`)}`,
  CookieFirst: `<div class="cookiefirst-root notranslate" id="cookiefirst-root" data-nosnippet="true"><div data-cookiefirst-widget="banner" role="dialog" aria-modal="true" style="${bottom}"><h2>Your cookie settings</h2><p>${text}</p><button data-cookiefirst-action="accept">Accept all cookies</button></div></div>`,
  Civic: `<div id="ccc" class="slideout" style="position:relative; z-index:9999"><div id="ccc-overlay" style="${dark}"></div><div id="ccc-module" role="region" style="position:fixed; left:0; top:0; bottom:0; width:350px; z-index:99999; background:${red}"><div id="ccc-content"><div id="ccc-title">This site uses cookies to store information on your computer.</div><button id="ccc-recommended-settings" class="ccc-notify-button"><span>I Accept</span></button></div></div></div>`,
  Usercentrics: `<div id="usercentrics-root" data-created-at="1"></div>${shadow(`document.getElementById('usercentrics-root')`, `<div data-testid="uc-app-container"><div style="${dark}"></div><div data-testid="uc-container" role="dialog" aria-modal="true" style="${center}"><h1>Datenschutzeinstellungen</h1><p>Diese Webseite nutzt Website-Tracking-Technologien von Dritten.</p><button data-testid="uc-accept-all-button">Alles akzeptieren</button></div></div>`)}`,
  'Usercentrics in a closed shadow root': `<aside id="usercentrics-cmp-ui" style="position:fixed; inset:0; z-index:99999"></aside>${shadow(`document.getElementById('usercentrics-cmp-ui')`, `<div style="${center}">Diese Webseite nutzt Cookies <button>OK</button></div>`, 'closed')}`,
  'vanilla-cookieconsent': `<style>.disable--interaction { overflow: hidden !important }</style><script>document.documentElement.classList.add('show--consent', 'disable--interaction')</script>
    <div id="cc-main"><div class="cm-wrapper cc--anim"><div class="cm cm--box cm--bottom cm--right" role="dialog" aria-modal="true" style="${center}"><div class="cm__body"><div class="cm__texts"><h2 class="cm__title">Hello traveller, it's cookie time!</h2><p class="cm__desc">Our website uses tracking cookies to understand how you interact with it.</p></div><div class="cm__btns"><button type="button" class="cm__btn" data-role="all">Accept all</button></div></div></div></div></div>`,
  'cookieconsent 3': `<div role="dialog" aria-live="polite" aria-label="cookieconsent" aria-describedby="cookieconsent:desc" class="cc-window cc-banner cc-type-info cc-theme-block cc-bottom" style="${bottom}"><span id="cookieconsent:desc" class="cc-message">This website uses cookies to ensure you get the best experience on our website.</span><div class="cc-compliance"><a aria-label="dismiss cookie message" role="button" tabindex="0" class="cc-btn cc-dismiss">Got it!</a></div></div>`,
  Orejime: `<div class="orejime-Env"><div class="orejime-BannerWrapper" style="${bottom}"><div class="orejime-Banner" aria-labelledby="orejime-banner-title" role="region"><div class="orejime-Banner-body"><p class="orejime-Banner-description">We use cookies to measure our audience.</p></div><ul class="orejime-Banner-actions"><li><button class="orejime-Button orejime-Button--save">OK</button></li></ul></div></div></div>`,
  'react-cookie-consent': `<div class="CookieConsent" style="${bottom}"><div style="flex: 1 0 300px; margin: 15px">${text}</div><div><button id="rcc-confirm-button" aria-label="Accept cookies">I understand</button></div></div>`,
};

/** Banners of sites' own making. */
export const ownBanners: Record<string, string> = {
  'without any name': `<div style="${bottom}"><p>${text}</p><button>Accept</button></div>`,
  'in German': `<div class="hinweis" style="${bottom}"><p>Wir verwenden Cookies, um Ihnen das beste Erlebnis auf unserer Webseite zu bieten.</p><a href="#" onclick="return false">Einverstanden</a></div>`,
  'with only OK': `<div class="bar" style="${bottom}"><span>Diese Seite verwendet Cookies.</span> <button>OK</button></div>`,
  'in a full-screen backdrop that blurs the page': `<style>.app { filter: blur(4px) } .wall { ${dark}; backdrop-filter: blur(6px) }</style><script>document.body.style.overflow = 'hidden'</script>
    <div class="wall"><div style="${center}"><h2>Ihre Privatsphäre</h2><p>Wir und unsere Partner verwenden Cookies.</p><button>Alle akzeptieren</button></div></div>`,
  'with a backdrop that has no name': `<div style="${center}"><p>${text}</p><button>Allow all</button></div><div style="${dark}"></div>`,
  'in a dialog element': `<dialog style="width:400px; height:200px; background:${red}"><p>${text}</p><button>Agree</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
  'of a custom element': `<site-notice></site-notice>${shadow(`document.querySelector('site-notice')`, `<section style="${bottom}"><p>${text}</p><button>Accept all</button></section>`)}`,
  'that is a bar in the flow at the top': `<script>document.body.insertAdjacentHTML('afterbegin', '<div class="cookie-bar" style="height:60px; background:${red}">We use cookies. <button>Accept</button></div>')</script>`,
  'that comes after 1.2 s by a timer': `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', \`<div id="late" style="${bottom}"><p>${text}</p><button>Accept</button></div>\`), 1200)</script>`,
  'that is shown by a class after 1.2 s': `<style>#later { ${bottom}; transform: translateY(100%); transition: transform .4s } #later.open { transform: none }</style><div id="later"><p>${text}</p><button>Accept</button></div><script>setTimeout(() => document.getElementById('later').classList.add('open'), 1200)</script>`,
  'that a framework shows again': `<div id="again" style="${bottom}"><p>${text}</p><button>Accept</button></div><script>setInterval(() => { document.getElementById('again').style.cssText = ${JSON.stringify(bottom)} }, 300)</script>`,
};

/** Sentences and the accept button, of banners without a name. */
export const languages: Record<string, [string, string]> = {
  English: ['We use cookies on this website.', 'Accept'],
  German: ['Wir verwenden Cookies auf dieser Webseite.', 'Alle akzeptieren'],
  French: ['Ce site utilise des cookies.', 'Tout accepter'],
  Spanish: ['Este sitio utiliza cookies propias y de terceros.', 'Aceptar'],
  Italian: ['Questo sito utilizza i cookie.', 'Accetta tutti'],
  Portuguese: ['Este site utiliza cookies para melhorar a experiência.', 'Aceitar'],
  Dutch: ['Wij gebruiken cookies op deze website.', 'Akkoord'],
  Swedish: ['Vi använder kakor på webbplatsen.', 'Godkänn alla'],
  Danish: ['Vi bruger cookies på hjemmesiden.', 'Tillad alle'],
  Norwegian: ['Vi bruker informasjonskapsler på nettstedet.', 'Godta'],
  Finnish: ['Käytämme evästeitä sivustolla.', 'Hyväksy kaikki'],
  Polish: ['Ta strona używa ciasteczek i plików cookie.', 'Akceptuję'],
  Czech: ['Tento web používá soubory cookie.', 'Přijmout vše'],
  Slovak: ['Táto stránka používa súbory cookie.', 'Súhlasím'],
  Hungarian: ['Weboldalunk sütiket használ, sütik nélkül nem működik.', 'Elfogadom'],
  Romanian: ['Acest site folosește cookie-uri.', 'Sunt de acord'],
  Bulgarian: ['Този сайт използва бисквитки.', 'Приемам'],
  Greek: ['Χρησιμοποιούμε cookies στον ιστότοπο.', 'Αποδοχή όλων'],
  Croatian: ['Ova stranica koristi kolačiće.', 'Prihvaćam'],
  Slovenian: ['Spletno mesto uporablja piškotke.', 'Strinjam se'],
  Lithuanian: ['Ši svetainė naudoja slapukus.', 'Sutinku'],
  Latvian: ['Šajā vietnē tiek izmantotas sīkdatnes.', 'Piekrītu'],
  Estonian: ['See veebileht kasutab küpsiseid.', 'Nõustun'],
  Turkish: ['Bu sitede çerezler kullanılmaktadır.', 'Kabul et'],
  Russian: ['Мы используем файлы куки на этом сайте.', 'Принять'],
  Ukrainian: ['Цей сайт використовує файли cookie.', 'Погоджуюсь'],
  Japanese: ['当サイトではクッキーを使用しています。', '同意する'],
  Korean: ['이 웹사이트는 쿠키를 사용합니다.', '동의'],
  Chinese: ['本网站使用 Cookie 来改善您的体验。', '接受'],
  Arabic: ['يستخدم هذا الموقع ملفات تعريف الارتباط.', 'قبول'],
  Hebrew: ['אתר זה משתמש בעוגיות כדי לשפר את החוויה.', 'אני מסכים'],
  Thai: ['เว็บไซต์นี้ใช้คุกกี้', 'ยอมรับ'],
  Vietnamese: ['Trang web này sử dụng cookie.', 'Chấp nhận'],
  Indonesian: ['Situs ini menggunakan cookie.', 'Setuju'],
  Hindi: ['यह वेबसाइट कुकीज़ का उपयोग करती है।', 'स्वीकार करें'],
  Catalan: ['Aquest lloc web utilitza galetes.', 'Accepta'],
};

/** What stays: red as well. */
export const others: Record<string, string> = {
  'a newsletter modal': `<div style="${dark}"></div><div role="dialog" aria-modal="true" class="modal newsletter" style="${center}"><h2>Join our newsletter</h2><p>We respect your privacy. Unsubscribe at any time.</p><input type="email"><button>Sign me up</button><button>No thanks</button></div>`,
  'a newsletter modal of a bakery': `<div class="modal cookie-modal" role="dialog" style="${center}"><h2>Free cookies!</h2><p>Subscribe and get six of our butter cookies with your first order on this website.</p><button>Subscribe</button><button>Close</button></div>`,
  'a product dialog of a bakery': `<div class="modal" role="dialog" style="${center}"><h2>Chocolate chip cookies</h2><p>Our cookies are baked every morning with the best butter. We use only local flour.</p><button>Add to cart</button><button>Continue shopping</button></div>`,
  'an age gate': `<div class="age-gate" role="dialog" aria-modal="true" style="${center}"><h2>Are you over 18?</h2><p>You must be 18 years or older to enter this website. By entering you accept our use of cookies and privacy policy.</p><button>I agree, enter</button><button>Leave</button></div>`,
  'a paywall': `<div class="paywall" role="dialog" aria-modal="true" style="${center}"><h2>Subscribe to continue reading</h2><p>Already a subscriber? Log in. See our privacy policy and terms.</p><button>Subscribe</button><button>Log in</button></div>`,
  'a chat': `<div class="chat-widget" style="${bottom}"><p>Chat with us! By chatting, you agree to our privacy policy and the use of cookies on this site.</p><button>I agree, start chat</button></div>`,
  'a sticky header with a link to cookies': `<header style="position:sticky; top:0; height:60px; background:${red}"><nav><a href="#">Home</a> <a href="#">About cookies</a> <a href="#">Privacy</a></nav><button>Menu</button><button>Close</button></header>`,
  'a fixed footer with a link to cookie settings': `<div class="footer" style="position:fixed; bottom:0; left:0; right:0; height:40px; background:${red}">© 2026 <a href="#">Privacy policy</a> <a href="#">Cookie settings</a></div>`,
  'a login dialog': `<div role="dialog" aria-modal="true" style="${center}"><h2>Log in</h2><p>We use cookies to keep you signed in on this website.</p><input type="password"><button>Accept and log in</button></div>`,
  'an article about cookies': `<main style="background:${red}; height:500px"><article class="cookie-policy"><h1>Cookie policy</h1><p>We use cookies on this website for analytics. You can accept all cookies or reject them.</p><button>Accept all cookies</button><button>Reject all</button></article></main>`,
  'an app of fixed panes about cookies': `<div class="shell" style="position:fixed; inset:0; overflow:auto; background:${red}"><h1>The history of the HTTP cookie</h1><p>${'Cookies were invented in 1994, and websites use them to remember visitors. '.repeat(8)}</p><button>Accept the challenge</button><p>${'Their privacy was debated from the start. '.repeat(12)}</p></div>`,
};
