/**
 * SQLSTATEs of a server that stops, starts, or has no free connection: class 08 (connection), 53300, 57P01 to 57P03; and 25P03,
 * which a process gets if it froze in a transaction and the server closed its connection.
 */
const states = /^(?:08\w{3}|25P03|53300|57P0[1-3])$/;

/** Codes of the system and of Prisma for a server that is unreachable, or a transaction that could not start or end. */
const codes = /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH)|P10(?:01|02|08|17)|P2028)$/;

/** Messages of `pg` errors that have no code. */
const messages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;

/**
 * Whether an error means that Postgres is unavailable: down, starting, or out of connections. If the connection broke during a
 * statement, the statement may have been executed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause, meta } = error as Partial<Record<'code' | 'message' | 'cause' | 'meta', unknown>>;
  if (typeof code === 'string' && (states.test(code) || codes.test(code))) return true;
  if (typeof message === 'string' && messages.test(message)) return true;
  return isDatabaseUnavailable(cause) || isDatabaseUnavailable(driverError(meta));
}

/** The error of `pg` that a Prisma error contains. */
const driverError = (meta: unknown) =>
  (meta as { driverAdapterError?: unknown } | null | undefined)?.driverAdapterError;
