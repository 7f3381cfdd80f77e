// This classic script runs before the page is painted. The dashboard stores its choice under the same key.
const key = 'mantine-color-scheme-value';

try {
  const stored = localStorage.getItem(key);
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.scheme = stored;
} catch {
  // The browser stores nothing.
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-color-scheme]')) return;
  const { dataset } = document.documentElement;
  const shown = dataset.scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  dataset.scheme = shown === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(key, dataset.scheme);
  } catch {
    // The choice holds for this page.
  }
});
