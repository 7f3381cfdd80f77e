import { Text } from '@mantine/core';
import { IconFileTypePdf, IconPhotoOff, IconPhotoUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { CaptureRecord } from '../../api/responses.ts';
import { ownUrl } from '../../ui/figures.ts';
import classes from './gallery.module.css';

/** A full page can have a hundred million pixels: 24 of them at once would be too much for a phone. */
const largest = { bytes: 6_000_000, pixels: 24_000_000 };

/** A small image of a capture, loaded when it becomes visible. */
export function Thumbnail({ capture }: { capture: CaptureRecord }) {
  const [gone, setGone] = useState(false);
  const { file_url, format, file_size, width, height } = capture;
  const isLarge = (file_size ?? 0) > largest.bytes || (width ?? 0) * (height ?? 0) > largest.pixels;
  return (
    <div className={classes.thumbnail}>
      {file_url === null || gone ? (
        <IconPhotoOff size={34} stroke={1.3} aria-hidden />
      ) : format === 'pdf' ? (
        <IconFileTypePdf size={44} stroke={1.2} aria-hidden />
      ) : isLarge ? (
        <div>
          <IconPhotoUp size={34} stroke={1.3} aria-hidden />
          <Text size="xs">Large image</Text>
        </div>
      ) : (
        <img src={ownUrl(file_url)} alt="" loading="lazy" decoding="async" onError={() => setGone(true)} />
      )}
    </div>
  );
}
