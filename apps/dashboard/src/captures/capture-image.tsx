import { Anchor, Group, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { CaptureRecord } from '../api/responses.ts';
import { countText, ownAddress, sizeText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import classes from './capture-image.module.css';
import { PdfView } from './pdf-view.tsx';

/** What was captured: the picture, or the PDF, with the way to its file. */
export function Picture({ record }: { record: CaptureRecord }) {
  const [fits, setFits] = useState(true);
  const { file_url, format, width, height, file_size, request_id } = record;
  if (file_url === null) return <div className={`${classes.frame} ${classes.gone}`}>There is no file (any more).</div>;
  const address = ownAddress(file_url);
  const isPdf = format === 'pdf';
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {format} · {countText(width ?? 0)} × {countText(height ?? 0)} · {sizeText(file_size)}
        </Text>
        <Group gap="md">
          {!isPdf && (
            <Switch size="xs" label="Fit to width" checked={fits} onChange={(e) => setFits(e.currentTarget.checked)} />
          )}
          <Anchor href={address} target="_blank" size="sm">
            Open
          </Anchor>
          <Anchor href={address} download={`${request_id}.${format}`} size="sm">
            Download
          </Anchor>
        </Group>
      </Group>
      {isPdf ? (
        <PdfView address={address} />
      ) : (
        <ScrollRegion label="The picture" className={classes.frame}>
          <img
            src={address}
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
