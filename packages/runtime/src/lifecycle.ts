/** The log for a close that failed, such as pino's `Logger`. */
interface ClosingLog {
  error(facts: object, message: string): void;
}

/**
 * The open resources of a process, closed in the reverse order of opening. Register a resource's closing on the line after the
 * resource opens; then no path, including a failed start, leaves a resource open.
 */
export class Lifecycle {
  readonly #log: ClosingLog;
  readonly #open: { name: string; close: () => unknown }[] = [];
  #closed: Promise<void> | undefined;

  constructor(log: ClosingLog) {
    this.#log = log;
  }

  /**
   * Registers how to close the resource `name`. If closing fails, the failure is logged and the other resources are still closed.
   * A resource that a start in progress opens after closing began is closed at once.
   */
  closing(name: string, close: () => unknown): void {
    this.#open.push({ name, close });
    if (this.#closed) this.#closed = this.#closed.then(() => this.#closeAll());
  }

  /** Closes everything once; later calls wait for the first. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    for (let resource = this.#open.pop(); resource; resource = this.#open.pop()) {
      try {
        await resource.close();
      } catch (error) {
        this.#log.error({ err: error, resource: resource.name }, 'closing failed');
      }
    }
  }
}
