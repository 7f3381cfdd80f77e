import { withTimeout } from '@capture/runtime/timeout';
import type { Deployment, Known } from '../find-deployment.ts';

export type Status = 'ok' | 'warning' | 'fault' | 'not_checked';

/** What one check found. */
export interface Finding {
  status: Status;
  /** What was message, or why nothing could be. */
  message: string;
  /** What to do about it. */
  fix?: string;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warning = (message: string, fix: string): Finding => ({ status: 'warning', message, fix });
export const fault = (message: string, fix: string): Finding => ({ status: 'fault', message, fix });
export const notChecked = (why: string): Finding => ({ status: 'not_checked', message: why });

/** A finding of a check, by its name: `redis.eviction`. */
export interface Result extends Finding {
  check: string;
}

/** A thing to be looked at. */
export interface Check<Subject> {
  name: string;
  /** What it asks, as the manual says it. */
  about: string;
  run(subject: Subject): Promise<Finding> | Finding;
}

/** Why a whole group cannot be looked at: its first check says so, the others are not made. */
export class CannotCheck extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

export interface GroupDefinition<Subject> {
  name: string;
  /** Finds or opens what the checks look at. @throws {CannotCheck} when there is none, or it does not answer. */
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
      if ('status' in opened) {
        for (const [index, check] of named.entries()) {
          const finding = index === 0 || opened.status === 'not_checked' ? opened : notChecked(`see ${named[0]?.name}`);
          yield { check: check.name, ...finding };
        }
        return;
      }
      try {
        for (const check of checks) {
          const finding = await within(async () => check.run(opened.subject)).catch(failed);
          yield { check: `${name}.${check.name}`, ...finding };
        }
      } finally {
        // A server that stands still does not even say goodbye.
        await within(async () => close?.(opened.subject)).catch(() => undefined);
      }
    },
  };
}

/** @throws {CannotCheck} where this shell does not know it. */
export function required<Value>(known: Known<Value>): Value {
  if ('missing' in known) throw new CannotCheck(notChecked(known.missing));
  return known.value;
}

const within = <Value>(work: () => Promise<Value>): Promise<Value> =>
  withTimeout(withinMs, work(), () => {
    throw new Error(`no response within ${withinMs / 1_000} s`);
  });

const unopened = (error: unknown): Finding => (error instanceof CannotCheck ? error.finding : failed(error));

function failed(error: unknown): Finding {
  const { message, code } = error as Error & { code?: string };
  return fault(message || code || String(error), 'see that this part answers, and run the doctor again');
}
