import { Anchor, Group, Switch, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { CaptureRecord } from '../api/responses.ts';
import { countText, ownUrl, sizeText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import classes from './capture-image.module.css';
import { PdfView } from './pdf-view.tsx';

const TextView = lazy(async () => ({ default: (await import('./text-view.tsx')).TextView }));

/** The image, PDF or text of a capture, with links to its file. */
export function CaptureImage({ record }: { record: CaptureRecord }) {
  const [fits, setFits] = useState(true);
  const { file_url, format, width, height, file_size, request_id } = record;
  if (file_url === null)
    return <div className={`${classes.frame} ${classes.gone}`}>The file is no longer available.</div>;
  const url = ownUrl(file_url);
  const isPdf = format === 'pdf';
  const isText = record.type === 'content';
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {format}
          {!isText && ` · ${countText(width ?? 0)} × ${countText(height ?? 0)}`} · {sizeText(file_size)}
        </Text>
        <Group gap="md">
          {!isPdf && !isText && (
            <Switch size="xs" label="Fit to width" checked={fits} onChange={(e) => setFits(e.currentTarget.checked)} />
          )}
          <Anchor href={url} target="_blank" size="sm">
            Open
          </Anchor>
          <Anchor href={url} download={`${request_id}.${format}`} size="sm">
            Download
          </Anchor>
        </Group>
      </Group>
      {isPdf ? (
        <PdfView url={url} />
      ) : isText ? (
        <Suspense>
          <TextView url={url} />
        </Suspense>
      ) : (
        <ScrollRegion label="Image" className={classes.frame}>
          <img
            src={url}
            alt={`Capture of ${record.url}`}
            className={fits ? classes.fitting : ''}
            width={width ?? undefined}
            height={height ?? undefined}
          />
        </ScrollRegion>
      )}
    </>
  );
}
