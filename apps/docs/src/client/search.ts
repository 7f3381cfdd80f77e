import MiniSearch, { type SearchResult } from 'minisearch';
import { type SearchEntry, searchOptions } from '../site/search-options.ts';

const mostResults = 12;

/** Sets up the search dialog, which loads the index when it first opens. */
export function setUpSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('.search-dialog');
  const input = dialog?.querySelector('input');
  const list = dialog?.querySelector('ul');
  const status = dialog?.querySelector('p');
  if (!dialog || !input || !list || !status) return;

  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  const open = () => {
    if (!dialog.open) dialog.showModal();
    input.select();
  };
  const show = async () => {
    index ??= loadIndex();
    const words = input.value.trim();
    const results = words === '' ? [] : find(await index, words);
    if (words !== input.value.trim()) return;
    list.replaceChildren(...results.map(entryOf));
    status.textContent = words === '' ? '' : results.length === 0 ? `Nothing found for “${words}”.` : '';
  };

  document.querySelector('[data-open-search]')?.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', () => {
    show().catch(() => {
      status.textContent = 'The search could not be loaded. Reload the page.';
    });
  });
  dialog.addEventListener('keydown', (event) => moveFocus(event, input, list));
  dialog.addEventListener('click', ({ target }) => {
    // The reader pressed outside of the dialog's content, or on a result of the current page.
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close();
  });
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(document.body.dataset.search ?? '');
  if (!response.ok) throw new Error(`the index could not be loaded: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), searchOptions);
}

/** Finds entries with all of the words, then entries with some. */
function find(index: MiniSearch<SearchEntry>, words: string): SearchResult[] {
  const all = index.search(words, { combineWith: 'AND' });
  const known = new Set(all.map(({ id }) => id));
  return [...all, ...index.search(words).filter(({ id }) => !known.has(id))].slice(0, mostResults);
}

function entryOf({ id, title, page, excerpt }: SearchResult): HTMLElement {
  const link = document.createElement('a');
  link.href = id;
  const name = document.createElement('strong');
  name.textContent = title;
  const place = document.createElement('span');
  place.textContent = page;
  const text = document.createElement('small');
  text.textContent = excerpt;
  link.append(name, place, text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Arrow keys move between the field and the results; Enter in the field opens the first result. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const links = [...list.querySelectorAll('a')];
  if (event.key === 'Enter' && event.target === input) links[0]?.click();
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops: HTMLElement[] = [input, ...links];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  event.preventDefault();
}
