import { state } from '../state/page-state.ts';
import type { ContentCopies, ContentCopy } from './copies.ts';

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
