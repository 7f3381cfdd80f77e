/// <reference lib="dom" />

import type { Look } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { ShownContent } from './shown-content.ts';
import type { Visibility } from './visibility.ts';

/** See `announcements`. */
export type Announcements = ReturnType<typeof announcements>;

/** Recognizes a page that says what it does. Part of `look`. */
export function announcements({
  page: { roots, all },
  visible: { inView, isShown },
  content: { readContent },
}: {
  page: PageRoots;
  visible: Visibility;
  content: ShownContent;
}) {
  return { isLoading, announcesLoading, announcesRedirect };

  /** Texts, roles and class names that pages use while they load. */
  function isLoading(): boolean {
    if (all('[aria-busy="true"]').some((element) => isShown(element) && inView(element))) return true;
    return spinners().length > 0 || loadingTexts().length > 0;
  }

  /**
   * A page may keep such names and texts when it has loaded: a heading "Loading data", a class `lazy-loading`. It has not if
   * a few words end in dots, or if a spinner turns without an end and there is little else to see.
   */
  function announcesLoading(): Look['announced'] {
    const isPart = (element: Element) => element.closest('a, button, h1, h2, h3, h4, nav, code, pre, option') !== null;
    const isSized = ({ offsetWidth, offsetHeight }: HTMLElement) => offsetWidth > 20 && offsetHeight > 8;
    const isShort = ({ textContent }: Element) => {
      const words = (textContent ?? '').slice(0, 200).trim();
      return words.length < 60 && /(\.\.\.|…)$/.test(words) && words.split(/\s+/).length <= 4;
    };
    const isOpaque = (element: Element) => element.checkVisibility({ opacityProperty: true });
    const texts = loadingTexts().filter((element) => isShort(element) && isOpaque(element) && isSized(element));
    if (texts.some((element) => !isPart(element))) return readContent() === 'finished' ? 'part' : 'page';
    const turns = (element: Element) =>
      element
        .getAnimations({ subtree: true })
        .some(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY);
    return spinners().some(turns) && readContent() !== 'finished' ? 'page' : null;
  }

  /** Whether it says that it will open another page. */
  function announcesRedirect(): boolean {
    const announcement =
      /redirect|forwarded|taken to|weitergeleitet|umgeleitet|weiterleitung|redirig|redirection|redirecionad|reindirizz|doorgestuurd|omdirigera|przekierow|yönlendiril|перенаправл|リダイレクト|移動します|跳转|跳轉|이동합니다/i;
    return announcement.test((document.body?.textContent ?? '').slice(0, 20_000));
  }

  /** Elements in view with names that pages give to what they show while they load. */
  function spinners(): Element[] {
    const names = ['spinner', 'skeleton', 'shimmer', 'loader', 'loading'].map((name) => `[class*="${name}" i]`);
    const named = all([...names, '[id*="loader" i]', '[id*="loading" i]', '[role="progressbar"]'].join());
    return named.slice(0, 200).filter((element) => {
      if (element.matches('html, body, img, script, link')) return false;
      const rect = element.getBoundingClientRect();
      return (
        rect.width > 8 &&
        rect.height > 2 &&
        inView(element, rect) &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        (element.textContent?.trim().length ?? 0) < 60 &&
        element.querySelector('img') === null
      );
    });
  }

  /** Elements in view whose text says that they load. */
  function loadingTexts(): HTMLElement[] {
    const text =
      /^[^\p{L}]*(loading|please wait|one moment|just a (moment|second)|fetching|preparing|wird geladen|l[aä]dt|bitte warten|einen moment|chargement|veuillez patienter|cargando|espere|caricamento|attendere|carregando|aguarde|laden|ładowanie|загрузка|подождите|yükleniyor|読み込み中|加载中|載入中|로딩)(?!\p{L}).{0,30}$/iu;
    const found: HTMLElement[] = [];
    for (const root of roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(), seen = 0; node && seen < 2_000; node = walker.nextNode(), seen += 1) {
        const { parentElement, textContent } = node;
        const trimmed = textContent?.trim() ?? '';
        if (trimmed.length < 3 || trimmed.length >= 60 || !text.test(trimmed) || !parentElement) continue;
        if (isShown(parentElement) && inView(parentElement)) found.push(parentElement);
      }
    }
    return found;
  }
}
