import { Anchor, Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { CaptureRecord } from '../api/responses.ts';
import { countText, ownUrl, pageText, sizeText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import classes from './capture-image.module.css';

const PdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));
const TextView = lazy(async () => ({ default: (await import('./text-view.tsx')).TextView }));

/** Shows the files of a capture with their links, one at a time if there are several. */
export function CaptureImage({ record }: { record: CaptureRecord }) {
  const { outputs } = record;
  const [name, setName] = useState<string>();
  const [first] = outputs ?? [];
  if (!outputs || !first)
    return <div className={`${classes.frame} ${classes.gone}`}>The file is no longer available.</div>;
  if (outputs.length === 1) return <OutputView record={record} output={first} />;
  const shown = outputs.find((output) => output.name === name) ?? first;
  return (
    <>
      <SegmentedControl
        className={classes.outputs}
        aria-label="Outputs"
        withItemsBorders={false}
        value={shown.name}
        onChange={setName}
        data={outputs.map((output) => output.name)}
      />
      <OutputView key={shown.name} record={record} output={shown} />
    </>
  );
}

type Output = NonNullable<CaptureRecord['outputs']>[number];

function OutputView({ record, output }: { record: CaptureRecord; output: Output }) {
  const [fits, setFits] = useState(true);
  const { file_url, format, width, height, file_size, name } = output;
  const url = ownUrl(file_url);
  const isPdf = format === 'pdf';
  const isText = !isPdf && !['png', 'jpeg', 'webp'].includes(format);
  const file = output === record.outputs?.[0] ? record.request_id : `${record.request_id}-${name}`;
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
          <Anchor href={url} download={`${file}.${format}`} size="sm">
            Download
          </Anchor>
        </Group>
      </Group>
      {isPdf || isText ? (
        <Suspense>{isPdf ? <PdfView url={url} /> : <TextView url={url} />}</Suspense>
      ) : (
        <ScrollRegion label="Image" className={classes.frame}>
          <img
            src={url}
            alt={`Capture of ${pageText(record.url)}${output.kind === record.type ? '' : `: ${name}`}`}
            className={fits ? classes.fitting : ''}
            width={width ?? undefined}
            height={height ?? undefined}
          />
        </ScrollRegion>
      )}
    </>
  );
}
