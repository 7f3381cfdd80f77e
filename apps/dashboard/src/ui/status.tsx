import classes from './status.module.css';

type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'quiet';

/** The tone of each status of captures, batches, deliveries and endpoints. */
const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  failed: 'bad',
  disabled: 'bad',
  failing: 'bad',
  processing: 'busy',
  pending: 'busy',
  queued: 'quiet',
  paused: 'warn',
  cancelled: 'quiet',
};

/** A status with a coloured dot. */
export function Status({ value, tone = tones[value] ?? 'quiet' }: { value: string; tone?: Tone }) {
  return <span className={`${classes.status} ${classes[tone]}`}>{value}</span>;
}
