/** Options by name. */
export type Options = Record<string, unknown>;

/** Reports that part of a request cannot be translated: why, or what to do instead. */
export type Report = (why: string) => void;

export type CaptureKind = 'screenshot' | 'pdf' | 'content';

/** An option of another service that has a counterpart. */
export interface Counterpart {
  /** Our options, separated by commas. */
  ours: string;
  /** How the value is translated, unless it is unchanged. */
  how?: string;
  /** The only kind of capture with this option; reported for other kinds. */
  only?: CaptureKind;
  /** The capture is as good without what it cannot translate. */
  harmless?: true;
  /**
   * Translates a value into our options. Lists and objects from several options are merged.
   *
   * @param request the full request. @throws {Untranslatable} for a value that cannot be translated.
   */
  move(value: unknown, report: Report, given: Options, type: CaptureKind): Options;
}

/** An option of another service without a counterpart. */
export interface NoCounterpart {
  /** Why not, or what to do instead. */
  why: string;
  /** The capture is as good without it: a compatible endpoint reports it in a header, and refuses any other. */
  harmless?: true;
  /** The compatible endpoint takes it out of the request, and obeys it. */
  byEndpoint?: true;
}

/** All known options of a service by name. */
export type Table = Readonly<Record<string, Counterpart | NoCounterpart>>;
