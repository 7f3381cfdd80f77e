import { PageHeading } from './page-heading.tsx';
import { ProblemNote } from './problem-note.tsx';
import { Waiting } from './waiting.tsx';

interface NotYetProps {
  title: string;
  /** What is being loaded. */
  what: string;
  error: unknown;
  retry: () => unknown;
}

/** A page that is loading, or failed to load. */
export function NotYet({ title, what, error, retry }: NotYetProps) {
  return (
    <>
      <PageHeading title={title} />
      {error ? <ProblemNote error={error} retry={() => void retry()} /> : <Waiting what={`Loading ${what}`} />}
    </>
  );
}
