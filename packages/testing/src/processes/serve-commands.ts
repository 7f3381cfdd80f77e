import type { Reply, Request } from './child-program.ts';

/** Serves the commands of the parent process, and exits with it. */
export function serveCommands<Command>(serve: (command: Command) => unknown): void {
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C signals the whole process group of the terminal, but the parent decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', async ({ number, command }: Request) => {
    let reply: Reply;
    try {
      reply = { number, result: await serve(command as Command) };
    } catch (error) {
      reply = { number, error: String(error) };
    }
    process.send?.(reply, undefined, undefined, () => {});
  });
}
