/** The kinds of captures by their API names. */
export const kinds = {
  screenshot: { command: 'screenshot', noun: 'screenshot', defaultFormat: 'png' },
  pdf: { command: 'pdf', noun: 'PDF', defaultFormat: 'pdf' },
  og_image: { command: 'og-image', noun: 'social-preview image', defaultFormat: 'png' },
  content: { command: 'content', noun: 'Markdown, text or data', defaultFormat: 'markdown' },
} as const;

export type Kind = keyof typeof kinds;

/** How to parse the text of a flag or a CSV cell. The server validates the value. */
export type ValueForm = 'boolean' | 'number' | 'text' | 'list' | 'json';

export interface CaptureOption {
  /** The API name: `full_page`. */
  name: string;
  /** The kinds of captures that accept it. */
  kinds: readonly Kind[];
  form: ValueForm;
  description: string;
  /** The allowed values; for a list, those of its elements. */
  choices?: readonly string[];
  default?: string;
  /** Whether plain text is also allowed when the form is `json`. */
  orText?: boolean;
}
