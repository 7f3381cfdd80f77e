import type { ContentCopies, ContentCopy } from '../state/content-copies.ts';
import { state } from '../state/page-state.ts';

export function contentCopies(): ContentCopies {
  state.content ??= {};
  return state.content;
}

/** @throws {Error} before `copyContent`. */
export function latestCopy(): ContentCopy {
  const { latest } = contentCopies();
  if (!latest) throw new Error('the content has not been copied');
  return latest;
}
