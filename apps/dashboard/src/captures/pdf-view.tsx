import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Waiting } from '../ui/waiting.tsx';
import classes from './capture-image.module.css';

const withinMs = 60_000;

/**
 * A PDF in the browser's own viewer. Files may not be framed by any page, ours included, so the bytes are read and the
 * viewer is given these. A browser that has none shows the link in its place.
 */
export function PdfView({ address }: { address: string }) {
  const {
    data: bytes,
    error,
    refetch,
  } = useQuery({
    queryKey: ['file', address],
    queryFn: ({ signal }) => readFile(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [view, setView] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(bytes);
    setView(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);

  if (error) return <ProblemNote error={error} retry={() => void refetch()} />;
  if (!view) return <Waiting what="Loading the PDF" />;
  return (
    <div className={classes.frame}>
      <object data={`${view}#navpanes=0`} type="application/pdf" className={classes.document} aria-label="The PDF">
        <Stack className={classes.gone ?? ''} gap={4}>
          <Text>This browser shows no PDFs inside of a page.</Text>
          <Anchor href={address} target="_blank">
            Open the PDF
          </Anchor>
        </Stack>
      </object>
    </div>
  );
}

async function readFile(address: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) });
  if (response.ok) return new Blob([await response.arrayBuffer()], { type: 'application/pdf' });
  throw new Problem({ status: response.status, code: 'NOT_FOUND', message: 'The file could not be read.' });
}
