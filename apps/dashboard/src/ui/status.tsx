import classes from './status.module.css';

type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'quiet';

/** What each state of a capture, batch, delivery or endpoint is to who looks at it. */
const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  failed: 'bad',
  disabled: 'bad',
  processing: 'busy',
  pending: 'busy',
  queued: 'quiet',
  paused: 'warn',
  cancelled: 'quiet',
};

/** A state in a word, with a dot of its colour. */
export function Status({ of, tone = tones[of] ?? 'quiet' }: { of: string; tone?: Tone }) {
  return <span className={`${classes.status} ${classes[tone]}`}>{of}</span>;
}
