/** Names by which consent platforms and banners are known, as sources of regular expressions. */

/** Ids and classes of consent platforms. */
const platforms = [
  'onetrust|optanon|ot-sdk|cybot|cookiebot|usercentrics|^uc-|cky-|cookieyes|cookie-law-info|^cli-|didomi|qc-cmp|quantcast|osano',
  'cmplz|complianz|klaro|tarteaucitron|iubenda|borlabs|brlbs|sp_message|sp-message|fc-consent|fc-dialog|truste|trustarc',
  'termly|t-consentprompt|axeptio|cookiefirst|^ccc(?:$|-)|cc-window|cc_banner|cc-?-main|orejime|consentmanager|^cmpbox|cmpwrapper',
  'evidon|ketch-|transcend-consent|securiti|moove_gdpr|hs-eu-cookie|termsfeed|pandectes|cookiehub|^ch2-|cookiescript|fides-',
  'awsccc|shopify-pc__|sibbo|sd-cmp|pubtech-cmp|consentmo|lgcookieslaw|cookiealert|cookieinfo|catapult-cookie|wpcc-|civic-cookie',
];

/** What follows "cookie" or "privacy" in the name of a banner. */
const boxes =
  'banner|bar|notice|notification|notify|popup|pop-up|modal|dialog|overlay|message|msg|layer|hint|alert|warning|wall|disclaimer|consent|law|info|box|panel|toast|bubble|prompt|manager|tool|agree|accept|approval|compliance|hinweis|leiste|bandeau|aviso|avviso|melding|widget|wrapper|container|root|drawer|sheet|strip|ribbon|window|policy|settings|preferences|form';

/** The hosts of frames that show consent. */
const hosts = [
  'privacy-mgmt\\.com|sp-prod\\.net|trustarc\\.com|truste\\.com|consentmanager\\.net|cookiebot\\.(?:com|eu)|usercentrics\\.(?:eu|com)',
  'cookielaw\\.org|onetrust\\.com|privacy-center\\.org|didomi\\.io|consensu\\.org|fundingchoicesmessages\\.google\\.com|consent\\.google\\.',
  'iubenda\\.com|termly\\.io|osano\\.com|cookiefirst\\.com|axept\\.io|civiccomputing\\.com|cookieyes\\.com|cookie-script\\.com|cookiehub',
  'ketchcdn\\.com|transcend(?:-cdn)?\\.(?:io|com)|evidon\\.com|securiti\\.ai|appconsent\\.io|uniconsent\\.com|cmp\\.inmobi\\.com|quantcast\\.',
];

export const bannerNames = {
  platform: platforms.join('|'),
  /** Names that only banners have. */
  banner: `(?:cookies?|privacy|gdpr|dsgvo|rgpd|ccpa|datenschutz|kakor|evaste|ciastecz|cerez)[-_ ]?(?:\\w+[-_ ]){0,2}(?:${boxes})|(?:eu|accept|allow)[-_]?cookies?|consent[-_ ]?(?:${boxes})|(?:^|[-_])(?:consent|gdpr|dsgvo|rgpd|ccpa|lgpd|cmp)(?:$|[-_])|cookie[-_]?consent|^cookies?$`,
  /** Names that other things have too. */
  topic: 'cookie|consent|privacy|gdpr|datenschutz|kakor',
  /** Never a banner. */
  chat: 'chat|intercom|zendesk|zopim|drift-|tawk|crisp-|messenger|tidio|helpscout|beacon-container',
  backdrop:
    'overlay|backdrop|back-drop|dark-?filter|mask|shade|scrim|dimmer|curtain|lightbox|blocker|cover|bg$|background',
  host: hosts.join('|'),
};
