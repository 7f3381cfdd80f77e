/// <reference lib="dom" />

import { Deadline } from '../deadline.ts';
import { titleKept } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';

/** A page that is stuck in its own work has nothing to say; nobody waits for it. */
const readWithinMs = 250;

export interface PageFacts {
  title: string;
  /** What it wrote to its console as errors, or did not catch: the first of it. */
  errors: string[];
}

/** What the page says of itself; null if it does not answer. Never rejects. */
export async function readFacts(page: CapturePage): Promise<PageFacts | null> {
  if (!page.activity.document || !page.usable) return null;
  const limits = { what: 'reading the title', limitMs: readWithinMs, deadline: new Deadline(readWithinMs) };
  return runInPage(page, factsOf, titleKept, limits).catch(() => null);
}

function factsOf(titleKept: number): PageFacts {
  const { captureErrors: errors = [] } = globalThis as { captureErrors?: string[] };
  return { title: document.title.slice(0, titleKept), errors };
}
