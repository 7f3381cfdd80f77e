import type { Server } from 'node:http';

/** How long requests under way may go on after the process was told to stop, milliseconds. */
const drainMs = 20_000;

/** Takes no new connections, lets requests under way finish, and cuts off what is left after the drain. */
export async function closeServer(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
