import { useState } from 'react';
import type { CaptureStatus } from '../api/responses.ts';
import { ownUrl } from '../ui/figures.ts';
import { IconPhotoOff } from '../ui/icons.tsx';
import classes from './thumbnail.module.css';

interface ThumbnailProps {
  id: string;
  status: CaptureStatus;
  /** Null or missing if the capture has no file. */
  fileUrl: string | null | undefined;
  /** The width of a PDF's first page, CSS pixels. */
  width?: number | null | undefined;
  height?: number | null | undefined;
}

/** Shows a small image of a capture, loaded when it comes into view. */
export function Thumbnail(props: ThumbnailProps) {
  return (
    <div className={classes.thumbnail}>
      <Content key={props.fileUrl} {...props} />
    </div>
  );
}

function Content({ id, status, fileUrl, width, height }: ThumbnailProps) {
  const [failures, setFailures] = useState(0);
  if (status === 'queued' || status === 'processing') return <div className={classes.loading} />;
  const url = fileUrl ? ownUrl(fileUrl) : null;
  if (url !== null && /\.pdf\b/.test(url)) return <Sheet width={width} height={height} />;
  const [, format] = /\.(markdown|text|html|metadata|links)\?/.exec(url ?? '') ?? [];
  if (format !== undefined) return <span className={classes.sheet}>{format}</span>;
  // A capture that completed at this moment has its file, and soon its thumbnail.
  const source = [`/api/v1/captures/${id}/thumbnail`, url][failures];
  if (url === null || !source) return <IconPhotoOff size={30} stroke={1.3} aria-hidden />;
  return (
    <img key={source} src={source} alt="" loading="lazy" decoding="async" onError={() => setFailures(failures + 1)} />
  );
}

const a4 = { width: 794, height: 1_123 };

/** Draws a PDF, which has no thumbnail, as a sheet in the shape of its first page, with the size on paper. */
function Sheet({ width, height }: Pick<ThumbnailProps, 'width' | 'height'>) {
  const size = width && height ? { width, height } : null;
  const { width: w, height: h } = size ?? a4;
  return (
    <span className={classes.sheet} style={{ aspectRatio: `${w} / ${h}` }}>
      PDF
      {size && (
        <small>
          {millimetres(w)} × {millimetres(h)} mm
        </small>
      )}
    </span>
  );
}

const millimetres = (pixels: number) => Math.round((pixels / 96) * 25.4);
