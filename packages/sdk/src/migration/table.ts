/** Options as they are given or made, by name. */
export type Options = Record<string, unknown>;

/** Tells that something of a request is lost, and why or what to do instead. */
export type Tell = (why: string) => void;

export type MovedType = 'screenshot' | 'pdf';

/** An option of another service that has a counterpart. */
export interface Counterpart {
  /** Ours, as the guide names it; several with commas. */
  ours: string;
  /** What becomes of the value, where it is not taken as it is. */
  how?: string;
  /** The one kind of captures that it is of; told where it comes with another. */
  only?: MovedType;
  /**
   * Our options for a value of theirs. Lists and objects that several options contribute to are put together.
   *
   * @param given the whole request. @throws {Unfit} for a value that cannot be translated.
   */
  move(value: unknown, tell: Tell, given: Options, type: MovedType): Options;
}

/** An option of another service that has none. */
export interface NoCounterpart {
  /** Why not, or what to do instead. */
  why: string;
}

/** Every known option of a service by its name. */
export type Table = Readonly<Record<string, Counterpart | NoCounterpart>>;
