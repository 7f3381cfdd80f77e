/** Tells the user something in passing, on standard error: standard output belongs to files and records. */
export type Report = (line: string) => void;
