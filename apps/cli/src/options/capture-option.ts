/** What can be captured of a page, as commands, payloads and paths name it. */
export const kinds = {
  screenshot: { command: 'screenshot', noun: 'screenshot', defaultFormat: 'png' },
  pdf: { command: 'pdf', noun: 'PDF', defaultFormat: 'pdf' },
  og_image: { command: 'og-image', noun: 'social-preview image', defaultFormat: 'png' },
} as const;

export type Kind = keyof typeof kinds;

/** How the text of a flag or of a CSV cell becomes a value; the server judges the value itself. */
export type ValueForm = 'boolean' | 'number' | 'text' | 'list' | 'json';

/** One option of the API. */
export interface CaptureOption {
  /** As the API has it: `full_page`. */
  name: string;
  /** The kinds of captures that have it. */
  kinds: readonly Kind[];
  form: ValueForm;
  description: string;
  /** The only values there are: of a list, those of its elements. */
  choices?: readonly string[];
  /** What it is where nobody says anything. */
  default?: string;
  /** Whether plain text is a value too, where the form is `json`. */
  orText?: boolean;
}
