export interface MarkerFacts {
  url: string;
  title: string;
  /** Names of the markers that match an element, or a visible element where that is required. */
  markers: string[];
  /** Hosts and paths of the visible frames, such as `challenges.cloudflare.com/turnstile`; small frames end with `#small`. */
  frames: string[];
  /** Visible fields for passwords, and whether one of them is for a new password. */
  passwords: number;
  newPassword: boolean;
  /** Whether a field for a password is in the place of the content: not in the head of the page, nor on a page with a large image. */
  inPlace: boolean;
  /** Other visible fields that a visitor fills in. */
  fields: number;
  /** Labels of the visible buttons. */
  buttons: string[];
  heading: string;
  /** Whether the page may lead on without a visitor: by a script, or a meta refresh. */
  leadsOn: boolean;
}

/** A selector that only a certain kind of page matches; with `seen`, the element must be visible. */
export interface Marker {
  name: string;
  selector: string;
  seen?: boolean;
}

const fillable =
  'textarea, select, input:not([type]), input[type="text" i], input[type="email" i], input[type="tel" i], input[type="search" i]';

/** Looks for the markers of challenges, sign-in forms and error screens. */
export function findMarkers(markers: readonly Marker[]): MarkerFacts {
  const passwords = findSeen('input[type="password" i]');
  const found = markers.filter(({ selector, seen }) => (seen ? findSeen(selector) : findAll(selector)).length > 0);
  return {
    url: location.href.slice(0, 2_000),
    title: document.title.slice(0, 300),
    markers: found.map(({ name }) => name),
    frames: findSeen('iframe[src]').slice(0, 20).map(describeFrame),
    passwords: passwords.length,
    newPassword: passwords.some((field) => field.getAttribute('autocomplete') === 'new-password'),
    inPlace: passwords.some((field) => !isInHead(field)) && !findSeen('img').some(isContent),
    buttons: findSeen('button, input[type="submit" i], input[type="button" i]').slice(0, 20).map(buttonLabel),
    fields: findSeen(fillable).length,
    leadsOn: findAll('script, meta[http-equiv="refresh" i]').length > 0,
    heading: (document.querySelector('h1')?.textContent ?? '').trim().slice(0, 200),
  };
}

function findAll(selector: string): Element[] {
  return [...document.querySelectorAll(selector)].slice(0, 100);
}

function findSeen(selector: string): Element[] {
  return findAll(selector).filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  });
}

function describeFrame(frame: Element): string {
  const { src } = frame as HTMLIFrameElement;
  const { host, pathname } = new URL(URL.canParse(src) ? src : 'about:blank');
  const { width, height } = frame.getBoundingClientRect();
  const isSmall = width < 200 || height < 50 || frame.closest('.grecaptcha-badge');
  return `${host}${pathname}`.slice(0, 200) + (isSmall ? '#small' : '');
}

/** An image that fills the height is the other half of a sign-in page. */
function isContent(image: Element): boolean {
  const { width, height } = image.getBoundingClientRect();
  return width * height > 0.15 * innerWidth * innerHeight && height < 0.9 * innerHeight;
}

function isInHead(field: Element): boolean {
  return field.closest('header, nav, [role="banner"], [role="navigation"]') !== null;
}

function buttonLabel(button: Element): string {
  return ((button as HTMLInputElement).value || button.textContent || '').trim().slice(0, 100);
}
