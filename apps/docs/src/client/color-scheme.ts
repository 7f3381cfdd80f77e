import { store, stored } from './stored.ts';

// Runs before the page is painted. The dashboard has the same origin and stores its choice in the same place.
const key = 'mantine-color-scheme-value';
const scheme = stored(key);
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme;

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-color-scheme]')) return;
  const { dataset } = document.documentElement;
  const shown = dataset.scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  dataset.scheme = shown === 'dark' ? 'light' : 'dark';
  store(key, dataset.scheme);
});
