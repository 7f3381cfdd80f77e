import { withTimeout } from '@capture/runtime/timeout';
import type { Deployment, Known } from '../find-deployment.ts';

export type Status = 'ok' | 'warning' | 'fault' | 'not_checked';

export interface Finding {
  status: Status;
  /** The finding, or why nothing could be checked. */
  message: string;
  fix?: string;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warning = (message: string, fix: string): Finding => ({ status: 'warning', message, fix });
export const fault = (message: string, fix: string): Finding => ({ status: 'fault', message, fix });
export const notChecked = (why: string): Finding => ({ status: 'not_checked', message: why });

/** A finding with the name of its check, such as `redis.eviction`. */
export interface Result extends Finding {
  check: string;
}

export interface Check<Subject> {
  name: string;
  /** The subject of the check, in the words of docs/operations.md. */
  about: string;
  run(subject: Subject): Promise<Finding> | Finding;
}

/** Says why a whole group cannot be checked. The group's first check reports this, and the others are skipped. */
export class CannotCheck extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

export interface GroupDefinition<Subject> {
  name: string;
  /** Opens the subject of the checks. @throws {CannotCheck} if the subject is unknown or does not respond. */
  open(deployment: Deployment): Promise<Subject> | Subject;
  close?(subject: Subject): Promise<unknown> | unknown;
  /** The first check reports whether the subject could be opened. */
  checks: readonly Check<Subject>[];
}

/** The checks of one part, which run one after the other. */
export interface Group {
  name: string;
  checks: readonly { name: string; about: string }[];
  run(deployment: Deployment): AsyncGenerator<Result>;
}

/** The timeout of a check. The slowest check, the browser, may take 30 s to start. */
const timeoutMs = 45_000;

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
        // A server that hangs does not close its connection either.
        await within(async () => close?.(opened.subject)).catch(() => undefined);
      }
    },
  };
}

/** @throws {CannotCheck} if the value is not known in this shell. */
export function required<Value>(known: Known<Value>): Value {
  if ('missing' in known) throw new CannotCheck(notChecked(known.missing));
  return known.value;
}

async function within<Value>(work: () => Promise<Value>): Promise<Value> {
  // The timer of `withTimeout` does not keep the process alive, and a check that hangs may have no open handles.
  const keepAlive = setInterval(() => {}, timeoutMs);
  try {
    return await withTimeout(timeoutMs, work(), () => {
      throw new Error(`no response within ${timeoutMs / 1_000} s`);
    });
  } finally {
    clearInterval(keepAlive);
  }
}

const unopened = (error: unknown): Finding => (error instanceof CannotCheck ? error.finding : failed(error));

function failed(error: unknown): Finding {
  const { message, code } = error as Error & { code?: string };
  return fault(message || code || String(error), 'make sure that this part responds, and run the doctor again');
}

/** A number with its noun: `1 worker`, `2 workers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
