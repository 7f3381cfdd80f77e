import { useState } from 'react';
import type { CaptureStatus } from '../api/responses.ts';
import { ownUrl } from '../ui/figures.ts';
import { IconFileTypePdf, IconPhotoOff } from '../ui/icons.tsx';
import classes from './thumbnail.module.css';

interface ThumbnailProps {
  id: string;
  status: CaptureStatus;
  /** Null or missing without a file. */
  fileUrl: string | null | undefined;
}

/** A small image of a capture, loaded when it comes into view. */
export function Thumbnail({ id, status, fileUrl }: ThumbnailProps) {
  return (
    <div className={classes.thumbnail}>
      <Content key={fileUrl} id={id} status={status} fileUrl={fileUrl} />
    </div>
  );
}

function Content({ id, status, fileUrl }: ThumbnailProps) {
  const [failures, setFailures] = useState(0);
  if (status === 'queued' || status === 'processing') return <div className={classes.loading} />;
  const url = fileUrl ? ownUrl(fileUrl) : null;
  if (url !== null && /\.pdf\b/.test(url)) return <IconFileTypePdf size={40} stroke={1.2} aria-hidden />;
  // A capture that completed this moment has its file, and soon its thumbnail.
  const source = [`/api/v1/captures/${id}/thumbnail`, url][failures];
  if (url === null || !source) return <IconPhotoOff size={30} stroke={1.3} aria-hidden />;
  return (
    <img key={source} src={source} alt="" loading="lazy" decoding="async" onError={() => setFailures(failures + 1)} />
  );
}
