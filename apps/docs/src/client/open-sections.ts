/** Opens the sections around a linked field, and shows the current page in the navigation. */
export function openSections(): void {
  const reveal = () => {
    const target = document.getElementById(idInHash());
    for (let at = target?.closest('details'); at; at = at.parentElement?.closest('details')) at.open = true;
    target?.scrollIntoView();
  };
  if (location.hash) reveal();
  addEventListener('hashchange', reveal);
  const current = document.querySelector<HTMLElement>('.navigation [aria-current]');
  const navigation = document.querySelector('.navigation');
  if (current && navigation) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 3;
}

function idInHash(): string {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    // A link from elsewhere may have any fragment.
    return text;
  }
}
