import type { Receipt } from '../api/responses.ts';
import { durationText } from '../ui/figures.ts';
import classes from './timings.module.css';

/** The phases of a capture in their order, in words. */
const phases: readonly { of: keyof Receipt['timings']; label: string; colour: string }[] = [
  { of: 'queue_ms', label: 'In the queue', colour: '#8a9694' },
  { of: 'navigation_ms', label: 'First bytes', colour: '#3b82c4' },
  { of: 'waiting_ms', label: 'Until ready', colour: '#17998a' },
  { of: 'acting_ms', label: 'Changes', colour: '#8b6fc9' },
  { of: 'capture_ms', label: 'Drawing', colour: '#d08a2e' },
  { of: 'storing_ms', label: 'Storing', colour: '#c2607c' },
];

/** Where the time went: each phase as long as its share. */
export function Timings({ timings }: { timings: Receipt['timings'] }) {
  const known = phases.flatMap(({ of, ...phase }) => {
    const ms = timings[of];
    return ms === null ? [] : [{ ...phase, ms }];
  });
  const total = known.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {known.map(({ label, colour, ms }) => (
          <div key={label} style={{ flexGrow: ms, background: colour }} title={`${label}: ${durationText(ms)}`} />
        ))}
      </div>
      <ul className={classes.legend} aria-label="Where the time went">
        {known.map(({ label, colour, ms }) => (
          <li key={label}>
            <span className={classes.dot} style={{ background: colour }} aria-hidden />
            {label} <b>{durationText(ms)}</b>
          </li>
        ))}
        <li>
          Together <b>{durationText(total)}</b>
        </li>
      </ul>
    </div>
  );
}
