import type { Receipt } from '../api/responses.ts';
import { chartColors } from '../app/theme.ts';
import { durationText } from '../ui/figures.ts';
import classes from './timings.module.css';

/** The phases of a capture, in order. */
const phases: readonly { name: keyof Receipt['timings']; label: string; colour: string }[] = [
  { name: 'queue_ms', label: 'Queued', colour: chartColors.cancelled },
  { name: 'other_tries_ms', label: 'Other tries', colour: chartColors.failed },
  { name: 'browser_ms', label: 'Waiting for a browser', colour: chartColors.cached },
  { name: 'navigation_ms', label: 'Navigation', colour: chartColors.navigation },
  { name: 'waiting_ms', label: 'Until ready', colour: chartColors.completed },
  { name: 'acting_ms', label: 'Actions', colour: chartColors.acting },
  { name: 'capture_ms', label: 'Rendering', colour: chartColors.waiting },
  { name: 'storing_ms', label: 'Storing', colour: chartColors.storing },
];

/** Shows the phases of a capture, each as wide as its share of the time. */
export function Timings({ timings }: { timings: Receipt['timings'] }) {
  const known = phases.flatMap(({ name, ...phase }) => {
    const ms = timings[name];
    if (ms === null) return [];
    // Most captures need no second try and get a browser at once.
    return ms === 0 && (name === 'other_tries_ms' || name === 'browser_ms') ? [] : [{ ...phase, ms }];
  });
  const total = known.reduce((sum, { ms }) => sum + ms, 0);
  // A capture that failed before it was rendered only waited.
  if (timings.navigation_ms === null && !timings.other_tries_ms) return null;
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
        {/* The receipt does not have the duration of the phase in which the capture failed. */}
        {timings.capture_ms !== null && (
          <li>
            Total <b>{durationText(total)}</b>
          </li>
        )}
      </ul>
    </div>
  );
}
