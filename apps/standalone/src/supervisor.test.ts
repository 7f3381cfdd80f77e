import type { Exit } from '@capture/provisioning/guarded-process';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Program, type RunningProgram, Supervisor } from './supervisor.ts';

let events: string[];
let reported: string[];

beforeEach(() => {
  events = [];
  reported = [];
});

const patience = { restartDelaysMs: [0, 1], healthyAfterMs: 60_000 };

/** A program that runs until it is stopped, or until `die` is called. */
class Fake implements Program {
  readonly name: string;
  readonly stage: number;
  starts = 0;
  failNext: string[] = [];
  die: (exit: Exit) => void = () => {};
  onStart: (aborted: AbortSignal) => Promise<unknown> = async () => {};

  constructor(name: string, stage: number) {
    this.name = name;
    this.stage = stage;
  }

  async start(aborted: AbortSignal): Promise<RunningProgram> {
    this.starts += 1;
    events.push(`start ${this.name}`);
    await this.onStart(aborted);
    const fault = this.failNext.shift();
    if (fault) throw new Error(fault);
    const exited = new Promise<Exit>((resolve) => {
      this.die = resolve;
    });
    const end = (how: string, exit: Exit) => {
      events.push(`${how} ${this.name}`);
      this.die(exit);
    };
    return {
      exited,
      stop: async () => end('stop', { code: 0, signal: null }),
      kill: () => end('kill', { code: null, signal: 'SIGKILL' }),
    };
  }
}

const supervise = (options = patience) => new Supervisor((line) => reported.push(line), options);

describe('a supervisor', () => {
  it('restarts a program that ends, and reports how it ended', async () => {
    const supervisor = supervise();
    const worker = new Fake('worker', 1);
    await supervisor.start(worker);
    worker.die({ code: null, signal: 'SIGKILL' });
    await waitUntil(() => worker.starts === 2, { what: 'the second start' });
    await waitUntil(() => reported.length === 2, { what: 'both reports' });
    worker.die({ code: 3, signal: null });
    await waitUntil(() => worker.starts === 3, { what: 'the third start' });
    expect(reported).toEqual([
      'worker ended (SIGKILL); starting it again',
      'worker runs again',
      'worker ended (code 3); starting it again',
      ...reported.slice(3),
    ]);
    await supervisor.stop();
  });

  it('waits longer after each failure, and starts over once a program was healthy', async () => {
    const slow = supervise({ restartDelaysMs: [0, 3_600_000], healthyAfterMs: 60_000 });
    const worker = new Fake('worker', 1);
    await slow.start(worker);
    worker.die({ code: 1, signal: null });
    await waitUntil(() => reported.includes('worker runs again'), { what: 'the restart at once' });
    worker.die({ code: 1, signal: null });
    await waitUntil(() => reported.length === 3, { what: 'the second death' });
    // The second delay is an hour, and stopping must not wait for it.
    await slow.stop();
    expect(worker.starts).toBe(2);

    const healthy = supervise({ restartDelaysMs: [0, 3_600_000], healthyAfterMs: 0 });
    const other = new Fake('other', 1);
    await healthy.start(other);
    for (const starts of [2, 3, 4]) {
      other.die({ code: 1, signal: null });
      await waitUntil(() => other.starts === starts && reported.at(-1) === 'other runs again', {
        what: `start ${starts}`,
      });
    }
    await healthy.stop();
  });

  it('keeps trying when a restart fails, but not when the first start fails', async () => {
    const supervisor = supervise();
    const worker = new Fake('worker', 1);
    worker.failNext = ['no port'];
    await expect(supervisor.start(worker)).rejects.toThrow('no port');
    await supervisor.start(worker);
    worker.failNext = ['no database', 'no memory'];
    worker.die({ code: 1, signal: null });
    await waitUntil(() => reported.includes('worker runs again'), { what: 'the restart' });
    expect(reported).toContain('worker could not be restarted, trying again: no database');
    expect(reported).toContain('worker could not be restarted, trying again: no memory');
    await supervisor.stop();
  });

  it('stops the users of a server before the server, and restarts nothing meanwhile', async () => {
    const supervisor = supervise();
    for (const program of [
      new Fake('postgres', 1),
      new Fake('redis', 2),
      new Fake('gateway', 3),
      new Fake('worker', 3),
    ]) {
      await supervisor.start(program);
    }
    events = [];
    await Promise.all([supervisor.stop(), supervisor.stop()]);
    expect(events).toEqual(['stop gateway', 'stop worker', 'stop redis', 'stop postgres']);
    await expect(supervisor.start(new Fake('late', 1))).rejects.toThrow();
  });

  it('stops programs that are starting', async () => {
    const supervisor = supervise();
    const obedient = new Fake('obedient', 1);
    obedient.onStart = (aborted) =>
      new Promise((_, reject) => aborted.addEventListener('abort', () => reject(new Error('aborted'))));
    const deaf = new Fake('deaf', 1);
    let letStart = () => {};
    deaf.onStart = () =>
      new Promise<void>((resolve) => {
        letStart = resolve;
      });
    const starts = Promise.allSettled([supervisor.start(obedient), supervisor.start(deaf)]);
    const stopped = supervisor.stop();
    letStart();
    await stopped;
    expect((await starts).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(events).toEqual(['start obedient', 'start deaf', 'stop deaf']);
  });

  it('kills everything at once', async () => {
    const supervisor = supervise();
    await supervisor.start(new Fake('postgres', 1));
    await supervisor.start(new Fake('gateway', 3));
    supervisor.kill();
    expect(events.slice(2)).toEqual(['kill postgres', 'kill gateway']);
    await supervisor.stop();
    expect(reported).toEqual([]);
  });
});
