/** Collects failures of contenders, which are reported while the measurement continues. */
export class Faults {
  readonly #counts = new Map<string, number>();

  /** Returns the result of `work`, or null and records a fault if the work fails. */
  async attempt<T>(who: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      const fault = `FAILED: ${who}: ${(error as Error).message}`;
      this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
      return null;
    }
  }

  get notes(): string[] {
    return [...this.#counts].map(([fault, count]) => (count === 1 ? fault : `${fault} (${count} times)`));
  }
}
