import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { Thumbnail } from '../../captures/thumbnail.tsx';
import { kindText, shortPageText } from '../../ui/figures.ts';
import { Moment } from '../../ui/moment.tsx';
import { Surface } from '../../ui/surface.tsx';
import classes from './playground.module.css';

const limit = 8;

interface RecentRunsProps {
  shownId: string | undefined;
  onShow: (record: CaptureRecord) => void;
}

export function RecentRuns({ shownId, onShow }: RecentRunsProps) {
  const { data } = useQuery({
    queryKey: ['captures', 'recent'],
    queryFn: ({ signal }) =>
      request<{ captures: CaptureRecord[] }>('GET', '/api/v1/captures', { query: { limit }, signal }),
  });
  const ended = data?.captures.filter(({ completed_at }) => completed_at !== null) ?? [];
  if (ended.length === 0) return null;
  return (
    <Surface title="Recent runs">
      <ul className={classes.runs}>
        {ended.map((record) => (
          <li key={record.request_id}>
            <button
              type="button"
              className={classes.run}
              aria-current={record.request_id === shownId}
              onClick={() => onShow(record)}
            >
              <Thumbnail
                id={record.request_id}
                status={record.status}
                fileUrl={record.file_url}
                width={record.width}
                height={record.height}
              />
              <span className={classes.caption}>{shortPageText(record.url)}</span>
              <span className={classes.detail}>
                {record.status === 'completed' ? kindText(record.type) : record.status} ·{' '}
                <Moment at={record.created_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Surface>
  );
}
