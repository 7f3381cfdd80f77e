/** What a lifecycle tells of a closing that failed; pino's `Logger` fits. */
interface ClosingLog {
  error(facts: object, message: string): void;
}

/**
 * The open things of a process, closed in the reverse of the order in which they were opened. Register a resource's
 * closing on the line after it is opened; then no path, a failed start included, leaves one behind.
 */
export class Lifecycle {
  readonly #log: ClosingLog;
  readonly #open: { name: string; close: () => unknown }[] = [];
  #closed: Promise<void> | undefined;

  constructor(log: ClosingLog) {
    this.#log = log;
  }

  /**
   * Registers how `name` is closed. A closing that throws is logged and the others go on. What a start under way opens
   * after the closing began is closed at once.
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
