import { attribute, query } from '../dom/elements.ts';

/** The classes, ids and links of a page, by which generic rules are looked up. */
export interface PageNames {
  classes: string[];
  ids: string[];
  hrefs: string[];
}

/** @param limits the maximum number of names of each kind, and the maximum length of a name. */
export function collectNames(limits: { names: number; length: number }): PageNames {
  const [classes, ids, hrefs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const add = (names: Set<string>, name: string) => {
    if (name !== '' && name.length <= limits.length && names.size < limits.names) names.add(name);
  };
  for (const element of query(document, '[id], [class], a[href]')) {
    add(ids, attribute(element, 'id'));
    for (const name of attribute(element, 'class').split(/\s+/)) add(classes, name);
    if (element instanceof HTMLAnchorElement) add(hrefs, attribute(element, 'href'));
  }
  return { classes: [...classes], ids: [...ids], hrefs: [...hrefs] };
}
