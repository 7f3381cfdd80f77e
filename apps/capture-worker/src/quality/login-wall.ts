import type { MarkerFacts } from '@capture/page-scripts/world/quality/find-markers';

/** Parts of a path, and first parts of a host, of sign-in pages. */
const loginPart =
  /^(log-?_?in|sign-?_?in|sign-?_?on|log-?_?on|auth|authenticate|authentication|authorize|oauth2?|openid|openid-connect|saml2?|sso|cas|idp|wp-login|login-?page|sign-?in-?page|user-?login|users?_sign_in|account-?login|anmelden|anmeldung|einloggen|connexion|accedi|iniciar-?sesion|acceso|inloggen|logga-in)(\.(php|html?|aspx?|jsp|do|action))?$/i;
const loginHost = /^(login|signin|sso|auth|accounts?|id|idp|identity|idm|secure-login)\./i;

/** Where a visitor goes to fill in a password on purpose. */
const accountPart =
  /^(register|registration|sign-?_?up|join|create-?account|password|reset-?password|forgot|invite|setup|install|onboarding)/i;

/** Characters besides the form: labels, links and a claim have up to 400. */
const littleText = 600;

/** Whether a URL is that of a sign-in page. */
export function isLoginUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname, hash } = new URL(text);
  if (loginHost.test(hostname)) return true;
  const parts = `${pathname}/${hash.replace(/^#!?/, '').split('?', 1)[0]}`.split('/').filter(Boolean);
  return parts.some((part) => loginPart.test(part)) || /session(s)?\/new/i.test(pathname);
}

function isAccountUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  return new URL(text).pathname.split('/').some((part) => accountPart.test(part));
}

/** Whether a visitor who wanted `requested` has to sign in first. */
export function isLoginWall(facts: {
  requested: string;
  status: number | null;
  found: Pick<MarkerFacts, 'url' | 'passwords' | 'newPassword' | 'inPlace' | 'fields'>;
  sample: string;
}): boolean {
  const { requested, status, found, sample } = facts;
  if (isLoginUrl(requested) || isAccountUrl(requested)) return false;
  const isForm = found.passwords > 0 && !found.newPassword;
  if (isForm && (status === 401 || status === 403)) return true;
  const without = (url: string) => url.split('#', 1)[0];
  const isLedTo = isLoginUrl(found.url) && without(found.url) !== without(requested);
  // A first step may ask for the address alone, and a provider's page for nothing but a click.
  if (isLedTo && (found.passwords > 0 || found.fields > 0 || sample.length < littleText)) return true;
  return isForm && found.inPlace && found.passwords === 1 && found.fields <= 3 && sample.length < littleText;
}
