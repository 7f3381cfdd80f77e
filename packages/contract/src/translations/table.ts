/** Options by name. */
export type Options = Record<string, unknown>;

/** Reports that part of a request cannot be translated, with the reason or an alternative. */
export type Report = (why: string) => void;

export type CaptureKind = 'screenshot' | 'pdf' | 'content';

/** An option of another service that has a counterpart. */
export interface Counterpart {
  /** The names of the platform's options, separated by commas. */
  ours: string;
  /** How the value is translated, unless it is unchanged. */
  how?: string;
  /** The only kind of capture with this option; for other kinds the option is reported. */
  only?: CaptureKind;
  /** Marks an option whose untranslated values do not affect the quality of the capture. */
  harmless?: true;
  /**
   * Translates a value into the platform's options. Lists and objects from several options are merged.
   *
   * @param request the full request. @throws {Untranslatable} for a value that cannot be translated.
   */
  move(value: unknown, report: Report, given: Options, type: CaptureKind): Options;
}

/** An option of another service without a counterpart. */
export interface NoCounterpart {
  /** Why the option is not translated, or an alternative. */
  why: string;
  /**
   * Marks an option that does not affect the quality of the capture: a compatible endpoint reports the option in a header, and
   * refuses any option without this mark.
   */
  harmless?: true;
  /** Marks an option that the compatible endpoint removes from the request and obeys. */
  byEndpoint?: true;
}

/** All known options of a service by name. */
export type Table = Readonly<Record<string, Counterpart | NoCounterpart>>;
