import type { Receipt } from '../api/responses.ts';
import { durationText } from '../ui/figures.ts';
import classes from './timings.module.css';

/** The phases of a capture, in order. */
const phases: readonly { name: keyof Receipt['timings']; label: string; colour: string }[] = [
  { name: 'queue_ms', label: 'Queued', colour: '#8a9694' },
  { name: 'navigation_ms', label: 'Navigation', colour: '#3b82c4' },
  { name: 'waiting_ms', label: 'Until ready', colour: '#17998a' },
  { name: 'acting_ms', label: 'Actions', colour: '#8b6fc9' },
  { name: 'capture_ms', label: 'Rendering', colour: '#d08a2e' },
  { name: 'storing_ms', label: 'Storing', colour: '#c2607c' },
];

/** The timings of a capture: each phase as wide as its share. */
export function Timings({ timings }: { timings: Receipt['timings'] }) {
  const known = phases.flatMap(({ name, ...phase }) => {
    const ms = timings[name];
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
      <ul className={classes.legend} aria-label="Timings">
        {known.map(({ label, colour, ms }) => (
          <li key={label}>
            <span className={classes.dot} style={{ background: colour }} aria-hidden />
            {label} <b>{durationText(ms)}</b>
          </li>
        ))}
        <li>
          Total <b>{durationText(total)}</b>
        </li>
      </ul>
    </div>
  );
}
