import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { toProblem } from '../api/problem.ts';
import { PageHeading } from './page-heading.tsx';
import { ProblemNote } from './problem-note.tsx';
import { Waiting } from './waiting.tsx';

interface NotYetProps {
  title: string;
  /** The name of the content that is loading. */
  what: string;
  error: unknown;
  retry: () => unknown;
  /** The link to follow if the content does not exist. */
  back?: { label: string; to: string };
}

/** A page that is loading, or failed to load. */
export function NotYet({ title, what, error, retry, back }: NotYetProps) {
  const isMissing = error !== null && error !== undefined && toProblem(error).code === 'NOT_FOUND';
  return (
    <>
      <PageHeading title={title} />
      {error ? (
        <ProblemNote error={error} {...(!isMissing && { retry: () => void retry() })} />
      ) : (
        <Waiting what={`Loading ${what}`} />
      )}
      {isMissing && back && (
        <Anchor component={Link} to={back.to} size="sm" mt="md" display="inline-block">
          {back.label}
        </Anchor>
      )}
    </>
  );
}
