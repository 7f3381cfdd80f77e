/** An order to a process of the harness, and its answer. */
export interface Order {
  number: number;
  order: unknown;
}

export interface Answer {
  number: number;
  answer?: unknown;
  error?: string;
}

/** Does what the process that started this one asks for, and ends when that one is gone. */
export function obey<Asked>(act: (order: Asked) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0));
  // A Ctrl-C goes to the whole group of a terminal; who started this process ends it when it is time.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', async ({ number, order }: Order) => {
    const answer = await act(order as Asked).then(
      (value): Answer => ({ number, answer: value }),
      (error): Answer => ({ number, error: String(error) }),
    );
    process.send?.(answer, undefined, undefined, () => {});
  });
}
