/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

export interface MarkerFacts {
  url: string;
  title: string;
  /** Names of the markers that match an element, or a visible one where that is required. */
  markers: string[];
  /** Hosts and paths of the visible frames, such as `challenges.cloudflare.com/turnstile`. */
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
  /** Whether it may lead on by itself: by a script, or a meta refresh. */
  leadsOn: boolean;
}

/** Selectors that only a certain kind of page matches. `seen` ones must be visible. */
export interface Marker {
  name: string;
  selector: string;
  seen?: boolean;
}

/** Looks for the markers of challenges, sign-in forms and error screens. */
export function findMarkers(markers: readonly Marker[]): MarkerFacts {
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const all = (selector: string) => [...document.querySelectorAll(selector)].slice(0, 100);
  const seen = (selector: string) => all(selector).filter(isSeen);
  const passwords = seen('input[type="password" i]');
  const frames = seen('iframe[src]').map((frame) => {
    const { src } = frame as HTMLIFrameElement;
    const { host, pathname } = new URL(URL.canParse(src) ? src : 'about:blank');
    const { width, height } = frame.getBoundingClientRect();
    return (
      `${host}${pathname}`.slice(0, 200) +
      (width < 200 || height < 50 || frame.closest('.grecaptcha-badge') ? '#small' : '')
    );
  });
  // An image that fills the height is the other half of a sign-in page.
  const isContent = (image: Element) => {
    const { width, height } = image.getBoundingClientRect();
    return width * height > 0.15 * innerWidth * innerHeight && height < 0.9 * innerHeight;
  };
  const isInHead = (field: Element) => field.closest('header, nav, [role="banner"], [role="navigation"]') !== null;
  return {
    url: location.href.slice(0, 2_000),
    title: document.title.slice(0, 300),
    markers: markers
      .filter(({ selector, seen: mustBeSeen }) => (mustBeSeen ? seen(selector) : all(selector)).length > 0)
      .map(({ name }) => name),
    frames: frames.slice(0, 20),
    passwords: passwords.length,
    newPassword: passwords.some((field) => field.getAttribute('autocomplete') === 'new-password'),
    inPlace: passwords.some((field) => !isInHead(field)) && !seen('img').some(isContent),
    buttons: seen('button, input[type="submit" i], input[type="button" i]')
      .slice(0, 20)
      .map((button) => ((button as HTMLInputElement).value || button.textContent || '').trim().slice(0, 100)),
    fields: seen(
      'textarea, select, input:not([type]), input[type="text" i], input[type="email" i], input[type="tel" i], input[type="search" i]',
    ).length,
    leadsOn: all('script, meta[http-equiv="refresh" i]').length > 0,
    heading: (document.querySelector('h1')?.textContent ?? '').trim().slice(0, 200),
  };
}
