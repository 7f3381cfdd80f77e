/** The first family of a list, without quotes and in lower case. */
export function firstFamily(families: string): string {
  const [family = ''] = families.split(',', 1);
  return family
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
}

/** Families with a face that is loading or has failed, and without a face that has loaded. */
export function familiesWithoutFont(): Set<string> {
  const broken = new Set<string>();
  const loaded = new Set<string>();
  for (const face of [...document.fonts].slice(0, 500)) {
    if (face.status === 'loaded') loaded.add(firstFamily(face.family));
    const isLate = face.status === 'loading' && face.display !== 'optional';
    if (face.status === 'error' || isLate) broken.add(firstFamily(face.family));
  }
  for (const name of loaded) broken.delete(name);
  return broken;
}
