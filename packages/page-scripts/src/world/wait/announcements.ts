import { inView, isShown } from '../dom/visibility.ts';
import type { Glance } from './glance.ts';
import { readContent } from './shown-content.ts';

const spinnersAtMost = 200;
const textsAtMost = 2_000;

/** The length of a text that may say that the page loads, characters. */
const text = { shortest: 3, longest: 60 };

/** How many characters of a page to search for an announcement that it opens another page. */
const readCharacters = 20_000;

const loading =
  /^[^\p{L}]*(loading|please wait|one moment|just a (moment|second)|fetching|preparing|wird geladen|l[aä]dt|bitte warten|einen moment|chargement|veuillez patienter|cargando|espere|caricamento|attendere|carregando|aguarde|laden|ładowanie|загрузка|подождите|yükleniyor|読み込み中|加载中|載入中|로딩)(?!\p{L}).{0,30}$/iu;

const redirecting =
  /redirect|forwarded|taken to|weitergeleitet|umgeleitet|weiterleitung|redirig|redirection|redirecionad|reindirizz|doorgestuurd|omdirigera|przekierow|yönlendiril|перенаправл|リダイレクト|移動します|跳转|跳轉|이동합니다/i;

const spinnerSelector = [
  ...['spinner', 'skeleton', 'shimmer', 'loader', 'loading'].map((name) => `[class*="${name}" i]`),
  ...['[id*="loader" i]', '[id*="loading" i]', '[role="progressbar"]'],
].join();

/** Whether the page has texts, roles or class names that pages use while they load. */
export function isLoading(glance: Glance): boolean {
  if (glance.all('[aria-busy="true"]').some((element) => isShown(element) && inView(element))) return true;
  return spinners(glance).length > 0 || loadingTexts(glance).length > 0;
}

/**
 * Whether the page says that a `part` of it is loading, or the `page`, which shows little else.
 *
 * A loaded page may keep such names and texts: a heading "Loading data", a class `lazy-loading`. A page has not loaded if a few
 * words end in dots, or if a spinner turns without an end and there is little else to see.
 */
export function announcesLoading(glance: Glance): 'part' | 'page' | null {
  if (loadingTexts(glance).some(isAnnouncement)) return readContent(glance) === 'finished' ? 'part' : 'page';
  return spinners(glance).some(turnsWithoutEnd) && readContent(glance) !== 'finished' ? 'page' : null;
}

/** Whether the page says that it will open another page. */
export function announcesRedirect(): boolean {
  return redirecting.test((document.body?.textContent ?? '').slice(0, readCharacters));
}

function isAnnouncement(element: HTMLElement): boolean {
  const words = (element.textContent ?? '').slice(0, 200).trim();
  const isShort = words.length < text.longest && /(\.\.\.|…)$/.test(words) && words.split(/\s+/).length <= 4;
  const isPart = element.closest('a, button, h1, h2, h3, h4, nav, code, pre, option') !== null;
  const isSized = element.offsetWidth > 20 && element.offsetHeight > 8;
  return isShort && !isPart && isSized && element.checkVisibility({ opacityProperty: true });
}

function turnsWithoutEnd(element: Element): boolean {
  const animations = element.getAnimations({ subtree: true });
  return animations.some(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY);
}

/** Returns elements in view whose names are typical of loading indicators. */
function spinners(glance: Glance): Element[] {
  return glance
    .all(spinnerSelector)
    .slice(0, spinnersAtMost)
    .filter((element) => {
      if (element.matches('html, body, img, script, link')) return false;
      const rect = element.getBoundingClientRect();
      return (
        rect.width > 8 &&
        rect.height > 2 &&
        inView(element, rect) &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        (element.textContent?.trim().length ?? 0) < text.longest &&
        element.querySelector('img') === null
      );
    });
}

/** Returns elements in view whose text says that they load. */
function loadingTexts({ roots }: Glance): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(), seen = 0; node && seen < textsAtMost; node = walker.nextNode(), seen += 1) {
      const { parentElement, textContent } = node;
      const trimmed = textContent?.trim() ?? '';
      if (trimmed.length < text.shortest || trimmed.length >= text.longest) continue;
      if (!loading.test(trimmed) || !parentElement) continue;
      if (isShown(parentElement) && inView(parentElement)) found.push(parentElement);
    }
  }
  return found;
}
