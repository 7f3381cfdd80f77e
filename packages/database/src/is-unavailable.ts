/** SQLSTATEs of a server that is going, coming back, or full: classes 08 (connection) and 53300, 57P01 to 57P03. */
const states = /^(?:08\w{3}|53300|57P0[1-3])$/;

/** The system's words for a server that is not there, and Prisma's. */
const codes = /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH)|P10(?:01|02|08|17))$/;

/** What `pg` says without a code. */
const messages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;

/**
 * Whether an error says that Postgres is not to be had now: it is away, starting, or takes no more connections. What was
 * asked of it may have taken place if the connection broke in the middle.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && (states.test(code) || codes.test(code))) return true;
  return (typeof message === 'string' && messages.test(message)) || isDatabaseUnavailable(cause);
}
