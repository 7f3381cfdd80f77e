import type pg from 'pg';
import { inSlices } from '../in-slices.ts';
import { dropPrivateOptions, holdsHtml } from './stored-options.ts';

/** Captures of one statement: a page may have 2 MB, which takes some milliseconds to read. */
const capturesOfSlice = 200;

/** A capture's end is committed some seconds after its time at most. */
const settledAfterS = 600;

/**
 * Drops the submitted page (`html`) from the rows of captures that ended under a previous version, which kept it there for
 * ever. Goes through all captures once, by the time at which they ended, and notes how far it has come: a later run continues
 * there. What this version ends has no page in its row.
 *
 * @param goOn asked before each further slice.
 * @returns how many rows it changed.
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
        // With ties: the items of a cancelled batch ended at the same time. The pages are in captures of no URL.
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
