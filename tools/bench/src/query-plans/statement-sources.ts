import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';

/** The folder of all hand-written SQL, one operation per file. */
const folder = path.join(repositoryRoot, 'packages', 'database', 'src');

/** A statement as written in a file, without the parts that are inserted at run time. */
export interface WrittenStatement {
  /** The file name without its extension: a verb and its object. */
  file: string;
  /** The fixed parts, with single spaces. */
  parts: string[];
  /** Whether a connection prepares the statement under a name, and so may use a generic plan. */
  named: boolean;
}

/** Returns the text of a statement with single spaces, which identifies it. */
export function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns every statement in the sources. */
export function writtenStatements(): WrittenStatement[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^generated\/|\.test(-support)?\.ts$/.test(name))
    .flatMap((name) => {
      const literals = statementLiterals(readFileSync(path.join(folder, name), 'utf8'));
      return literals.map((literal) => ({ file: path.basename(name, '.ts'), ...literal }));
    });
}

export function isWrittenAs(text: string, { parts }: WrittenStatement): boolean {
  let from = 0;
  for (const part of parts) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return true;
}

/** Finds the longest written statement that matches, because a shorter one may match as a prefix. */
export function findSource(text: string, written: readonly WrittenStatement[]): WrittenStatement | undefined {
  const length = ({ parts }: WrittenStatement) => parts.join('').length;
  return written.filter((each) => isWrittenAs(text, each)).sort((a, b) => length(b) - length(a))[0];
}

/** Returns the fixed parts of each string literal of a TypeScript source that starts like a statement. */
function statementLiterals(source: string): Omit<WrittenStatement, 'file'>[] {
  const found: Omit<WrittenStatement, 'file'>[] = [];
  for (const { index, 1: quote = '' } of source.matchAll(/(['`])\s*(?=(?:WITH|SELECT|INSERT|UPDATE|DELETE)\s)/g)) {
    // A named statement is written as `{ name: …, text: … }`.
    const named = /\btext:\s*$/.test(source.slice(0, index));
    found.push({ parts: fixedParts(source, index + 1, quote), named });
  }
  return found;
}

function fixedParts(source: string, from: number, quote: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = from; at < source.length && source[at] !== quote; at += 1) {
    if (quote === '`' && source.startsWith('${', at)) {
      parts.push(part);
      part = '';
      at = endOfExpression(source, at + 2);
    } else part += source[at];
  }
  return [...parts, part].map((each) => each.replace(/\s+/g, ' ').trim()).filter((each) => each !== '');
}

/** Finds the brace that closes an expression in a template literal. The expression may contain further templates. */
function endOfExpression(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return source.length;
}
