import type pg from 'pg';
import { inSlices } from '../in-slices.ts';
import { dropPrivateOptions, holdsHtml } from './stored-options.ts';

/** The captures that one statement changes. A page may have 2 MB, which takes some milliseconds to read. */
const capturesOfSlice = 200;

/** A capture's end is committed at most some seconds after the time in its row. This margin is far longer. */
const settledAfterS = 600;

/**
 * Removes the submitted page (`html`) from the rows of captures that ended under a previous version, which kept the page
 * permanently. The current version ends captures without a page in their rows. Visits all captures once, ordered by the time of
 * their end, and stores its position, so that a later run continues there.
 *
 * @param goOn asked before each further slice.
 * @returns the number of changed rows.
 */
export async function dropHtmlFromRows(
  pool: pg.Pool,
  goOn: () => boolean = () => true,
  slice = capturesOfSlice,
): Promise<number> {
  let changed = 0;
  await inSlices(
    slice,
    async (size) => {
      const { rows } = await pool.query({
        name: 'drop-html-from-rows',
        // `WITH TIES` is needed because the items of a cancelled batch end at the same time. Only captures without a URL have a
        // page.
        text: `WITH ended AS MATERIALIZED (
                 SELECT id, url, completed_at FROM capture
                  WHERE completed_at > coalesce((SELECT position FROM sweeper_run WHERE name = 'html in rows'), '-infinity')
                    AND completed_at < now() - make_interval(secs => $2)
                  ORDER BY completed_at FETCH FIRST ($1::int) ROWS WITH TIES
               ), changed AS (
                 UPDATE capture c SET ${dropPrivateOptions} FROM ended
                  WHERE c.id = ended.id AND ended.url = 'about:blank' AND ${holdsHtml('c.options')}
                 RETURNING c.id
               ), noted AS (
                 INSERT INTO sweeper_run (name, started_at, position)
                 SELECT 'html in rows', now(), max(completed_at) FROM ended HAVING count(*) > 0
                 ON CONFLICT (name) DO UPDATE SET position = excluded.position
               )
               SELECT (SELECT count(*)::int FROM changed) AS changed, (SELECT count(*)::int FROM ended) AS seen`,
        values: [size, settledAfterS],
      });
      changed += rows[0].changed;
      return rows[0].seen;
    },
    goOn,
  );
  return changed;
}
