import { PageHeading } from './page-heading.tsx';
import { ProblemNote } from './problem-note.tsx';
import { Waiting } from './waiting.tsx';

interface NotYetProps {
  title: string;
  /** What is on its way. */
  what: string;
  error: unknown;
  retry: () => unknown;
}

/** A page whose subject is not there: on its way, or kept away by a problem. */
export function NotYet({ title, what, error, retry }: NotYetProps) {
  return (
    <>
      <PageHeading title={title} />
      {error ? <ProblemNote error={error} retry={() => void retry()} /> : <Waiting what={`Loading ${what}`} />}
    </>
  );
}
