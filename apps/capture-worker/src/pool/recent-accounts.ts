/** Accounts that are remembered. More than this in an hour would be an attack by itself; the first is forgotten. */
const accountsAtMost = 10_000;

/** What is known of accounts, of the latest ones only. */
export class RecentAccounts<Fact> {
  /** The last is the latest. */
  readonly #facts = new Map<string, Fact>();

  get(accountId: string): Fact | undefined {
    return this.#facts.get(accountId);
  }

  set(accountId: string, fact: Fact): void {
    this.#facts.delete(accountId);
    this.#facts.set(accountId, fact);
    const [first] = this.#facts.keys();
    if (this.#facts.size > accountsAtMost && first !== undefined) this.#facts.delete(first);
  }

  delete(accountId: string): void {
    this.#facts.delete(accountId);
  }
}
