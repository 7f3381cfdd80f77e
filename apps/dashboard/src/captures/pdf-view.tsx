import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Waiting } from '../ui/waiting.tsx';
import classes from './capture-image.module.css';

const timeoutMs = 60_000;

/** Shows a PDF in the browser's viewer, from a blob, because no page may frame files. Without a viewer, shows a link. */
export function PdfView({ url }: { url: string }) {
  const {
    data: bytes,
    error,
    refetch,
  } = useQuery({
    queryKey: ['file', url],
    queryFn: ({ signal }) => readFile(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [view, setView] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes) return;
    const objectUrl = URL.createObjectURL(bytes);
    setView(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [bytes]);

  if (error) return <ProblemNote error={error} retry={() => void refetch()} />;
  if (!view) return <Waiting what="Loading the PDF" />;
  return (
    <div className={classes.frame}>
      <object data={`${view}#navpanes=0`} type="application/pdf" className={classes.document} aria-label="PDF">
        <Stack className={classes.gone ?? ''} gap={4}>
          <Text>This browser cannot show PDFs inside a page.</Text>
          <Anchor href={url} target="_blank">
            Open the PDF
          </Anchor>
        </Stack>
      </object>
    </div>
  );
}

async function readFile(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  if (response.ok) return new Blob([await response.arrayBuffer()], { type: 'application/pdf' });
  throw new Problem({ status: response.status, code: 'NOT_FOUND', message: 'The file could not be read.' });
}
