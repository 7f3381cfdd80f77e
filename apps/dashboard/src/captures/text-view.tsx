import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../api/problem.ts';
import { countText } from '../ui/figures.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Waiting } from '../ui/waiting.tsx';
import classes from './capture-image.module.css';

const timeoutMs = 60_000;

/** Longer text would make the browser slow; the file has the whole text. */
const mostCharacters = 200_000;

/** Shows the content of a page as text, whatever its format, and interprets nothing. */
export function TextView({ url }: { url: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['text', url],
    queryFn: ({ signal }) => readText(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting what="Loading the content" />;
  const more = data.length - mostCharacters;
  return (
    <ScrollRegion label="Content" className={classes.frame}>
      <Code block className={classes.text}>
        {data.slice(0, mostCharacters)}
        {more > 0 && `\n\n… ${countText(more)} more characters are in the file.`}
      </Code>
    </ScrollRegion>
  );
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  if (response.ok) return response.text();
  throw new Problem({ status: response.status, code: 'NOT_FOUND', message: 'The file could not be read.' });
}
