/// <reference lib="dom" />
import type { Libraries } from '../libraries.ts';

export interface CopyInput {
  /** Without what surrounds the content. */
  only_main_content: boolean;
  include_selectors: readonly string[];
  exclude_selectors: readonly string[];
  limits: { nodes: number; depth: number; ms: number };
}

export interface CopyFacts {
  /** Whether the page has more than the limits allow. */
  truncated: boolean;
  /** Whether formulas have only MathML, no TeX. */
  hasMathml: boolean;
  /** What is wrong with the selection: no element matches it, or a text is no selector. */
  fault: 'no match' | { field: string; selector: string } | null;
  /** Whether an earlier output has read the same selection of a page that is held: formulas are read, the part is chosen. */
  isChosen: boolean;
}

interface Copy {
  captureCopy: Document;
  /** The part of the copy that is written. */
  captureRoot: Element;
  captureTruncated: boolean;
}

/** What the scripts keep in our world of the page. */
export interface ContentWorld extends Copy {
  captureLibraries: Libraries;
  /** Copies of a page that is held still, by their selection: what several outputs write is copied once. */
  captureKept?: Map<string, Copy>;
  /** The selection of the latest copy. */
  captureKey?: string;
  /** The part that is written, in a form that Markdown can say. */
  captureTidied: Element;
}
