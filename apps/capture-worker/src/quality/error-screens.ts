import type { Marker, MarkerFacts } from '@capture/page-scripts/world/quality/find-markers';

/** Error screens that come with the status 200: of frameworks, of development servers, and soft "not found" pages. */

export const errorMarkers: readonly Marker[] = [
  {
    name: 'error screen',
    selector:
      'vite-error-overlay, iframe#webpack-dev-server-client-overlay, .next-error-h1, nextjs-portal [data-nextjs-dialog-overlay]',
    seen: true,
  },
];

/** The beginning of the visible text. */
const beginnings =
  /^(application error: a (client|server)-side exception has occurred|application error\b|(404|500)\s*[|–—:-]?\s*(this page could not be found|internal server error|server error|not found)|(php )?(parse|fatal|uncaught) error\s*:|traceback \(most recent call last\)|warning: .{0,200} on line \d+|there has been a critical error on (this|your) website|error establishing a database connection|unexpected application error|something went wrong(?=[.!]?\s*($|reload|refresh|try again|please))|internal server error|bad gateway|service unavailable|gateway time-?out|this page isn.t working|unhandled runtime error|cannot (get|post) \/)/i;

const phrases =
  'bad request|unauthori[sz]ed|authorization required|forbidden|access denied|((the |this )?(page|file|url) )?(was )?not found|(the |this )?page (could not|can.?t|cannot) be found|gone|too many requests|(internal )?server error|bad gateway|(service )?(temporarily )?unavailable|gateway time-?out|web server is down|connection timed out|origin is unreachable|error';

/** A title such as `404`, `404 Not Found`, `502 Bad Gateway`, `Page not found`. A number with other words may name a car. */
const titles = new RegExp(
  `^(error |http )?(40[0134]|410|429|50[0234]|52\\d)(\\W+(${phrases})\\b(\\s*$|\\s*[^\\w\\s].{0,40}|\\s+(page|on|at|from)\\b.{0,40}))?\\W*$|^(page |file )?not found$|^(internal server error|bad gateway|service unavailable|gateway time-?out|forbidden|access denied)$`,
  'i',
);

/** "Page not found" in other languages: of applications whose response has the status 200. */
const notFound =
  /seite\b.{0,40}\bnicht (gefunden|verfügbar|vorhanden)|seite existiert nicht|page (introuvable|non trouvée)|page\b.{0,30}n['’](existe (pas|plus)|a pas été trouvée)|página no encontrada|página\b.{0,30}no (existe|se encuentra)|página não encontrada|página\b.{0,30}não (existe|foi encontrada)|pagina non trovata|pagina\b.{0,30}non (esiste|è stata trovata)|pagina (is )?niet gevonden|pagina bestaat niet|strony nie znaleziono|nie znaleziono strony|strona nie (istnieje|została znaleziona)|sidan\b.{0,20}(hittades inte|kunde inte hittas|finns inte)|siden (blev |ble )?(ikke fun[dn]et|findes ikke|finnes ikke)|sivua ei (löydy|löytynyt)|stránka (nebyla nalezena|nenalezena|neexistuje)|stránka sa nenašla|(az? )?oldal nem található|pagin[ăa] nu (a fost găsită|există)|sayfa bulunamadı|страниц[аы] не (найдена|существует)|сторінк[ау] не (знайдено|існує)|страницата не е намерена|η σελίδα δεν (βρέθηκε|υπάρχει)|ページが見つかりません|页面(不存在|未找到)|頁面不存在|找不到(此|该|該)?(页面|頁面|網頁|网页)|페이지를 찾을 수 없습니다|الصفحة غير موجودة|הדף לא נמצא|không tìm thấy trang|trang không tồn tại|halaman tidak ditemukan|ไม่พบหน้า|page (was |could )?not (be )?found|page (doesn['’]t|does not) exist/iu;

/** A heading that is the number of an error, alone or with a word: `404`, `Fehler 404`. */
const numberHeading = /^(\p{L}+ )?(404|410)[.!]?$/iu;

/** An article about errors: "502 Bad Gateway explained". */
const explains = /\b(explain(s|ed)?|mean(s|ing)?|what|why|how|fix(es|ing)?|guide|definition|glossary)\b/i;

/** Characters of an error screen. An article about errors has more. */
const longestScreen = 700;
const longestTitledScreen = 1_200;

/** Whether the page is an error page. `sample` is its first visible text. */
export function isErrorPage(
  status: number | null,
  { title, markers, heading }: Pick<MarkerFacts, 'title' | 'markers' | 'heading'>,
  sample: string,
): boolean {
  if (status !== null && status >= 400) return true;
  if (markers.includes('error screen')) return true;
  const text = sample.trim();
  if (text.length < longestScreen && beginnings.test(text)) return true;
  if (explains.test(title)) return false;
  const saysNotFound = numberHeading.test(heading) ? notFound.test(text) : isOnlyNotFound(heading);
  if (saysNotFound && text.length < longestScreen) return true;
  const isTitled = titles.test(title.trim()) || isOnlyNotFound(title);
  const isHeaded = /\b(404|50[0234]|not found|internal server error|bad gateway|unavailable)\b/i.test(heading);
  return isTitled && (isHeaded || text.length < 300) && text.length < longestTitledScreen;
}

/** Whether a title or heading says that the page was not found, and hardly anything else. */
const isOnlyNotFound = (text: string) => text.length < 80 && notFound.test(text);
