/** Failures of contenders: they are reported, and the measurement continues. */
export class Faults {
  readonly #counts = new Map<string, number>();

  /** The result of `work`, or null and a recorded fault if it fails. */
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
