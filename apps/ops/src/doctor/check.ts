import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, Known } from '../find-deployment.ts';

export type Decision = 'ok' | 'warning' | 'fault' | 'not_checked';

/** What one check found. */
export interface Finding {
  decision: Decision;
  /** What was seen, or why nothing could be. */
  seen: string;
  /** What to do about it. */
  mend?: string;
}

export const ok = (seen: string): Finding => ({ decision: 'ok', seen });
export const warning = (seen: string, mend: string): Finding => ({ decision: 'warning', seen, mend });
export const fault = (seen: string, mend: string): Finding => ({ decision: 'fault', seen, mend });
export const notChecked = (why: string): Finding => ({ decision: 'not_checked', seen: why });

/** A finding of a check, by its name: `redis.eviction`. */
export interface Result extends Finding {
  check: string;
}

/** A thing to be looked at. */
export interface Check<Subject> {
  name: string;
  /** What it asks, as the manual says it. */
  about: string;
  look(subject: Subject): Promise<Finding> | Finding;
}

/** Why a whole group cannot be looked at: its first check says so, the others are not made. */
export class CannotLook extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.seen);
    this.finding = finding;
  }
}

export interface GroupDefinition<Subject> {
  name: string;
  /** Finds or opens what the checks look at. @throws {CannotLook} when there is none, or it does not answer. */
  open(deployment: Deployment): Promise<Subject> | Subject;
  close?(subject: Subject): Promise<unknown> | unknown;
  /** The first one is about being there at all. */
  checks: readonly Check<Subject>[];
}

/** Checks of one part, made one after the other on what was opened once. */
export interface Group {
  name: string;
  checks: readonly { name: string; about: string }[];
  run(deployment: Deployment): AsyncGenerator<Result>;
}

/** Something that has not answered by then will not: the browser, the slowest, may take 30 s to start. */
const withinMs = 45_000;

export function group<Subject>(definition: GroupDefinition<Subject>): Group {
  const { name, checks, open, close } = definition;
  const named = checks.map((check) => ({ name: `${name}.${check.name}`, about: check.about }));
  return {
    name,
    checks: named,
    async *run(deployment) {
      const opened = await within(async () => ({ subject: await open(deployment) })).catch(unopened);
      if ('decision' in opened) {
        for (const [index, check] of named.entries()) {
          const finding =
            index === 0 || opened.decision === 'not_checked' ? opened : notChecked(`see ${named[0]?.name}`);
          yield { check: check.name, ...finding };
        }
        return;
      }
      try {
        for (const check of checks) {
          const finding = await within(async () => check.look(opened.subject)).catch(failed);
          yield { check: `${name}.${check.name}`, ...finding };
        }
      } finally {
        // A server that stands still does not even say goodbye.
        await within(async () => close?.(opened.subject)).catch(() => undefined);
      }
    },
  };
}

/** @throws {CannotLook} where this shell does not know it. */
export function required<Value>(known: Known<Value>): Value {
  if ('missing' in known) throw new CannotLook(notChecked(known.missing));
  return known.value;
}

async function within<Value>(work: () => Promise<Value>): Promise<Value> {
  const over = new AbortController();
  const late = sleep(withinMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${withinMs / 1_000} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work(), late]);
  } finally {
    over.abort();
  }
}

const unopened = (error: unknown): Finding => (error instanceof CannotLook ? error.finding : failed(error));

function failed(error: unknown): Finding {
  const { message, code } = error as Error & { code?: string };
  return fault(message || code || String(error), 'see that this part answers, and run the doctor again');
}
