// Runs before the page is painted. The dashboard has the same origin and stores its choice in the same place.
const key = 'mantine-color-scheme-value';
const stored = localStorage.getItem(key);
if (stored === 'light' || stored === 'dark') document.documentElement.dataset.scheme = stored;

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-color-scheme]')) return;
  const { dataset } = document.documentElement;
  const shown = dataset.scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  dataset.scheme = shown === 'dark' ? 'light' : 'dark';
  localStorage.setItem(key, dataset.scheme);
});
