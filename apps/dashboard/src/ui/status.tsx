import classes from './status.module.css';

type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'quiet';

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

export function Status({ value, tone = tones[value] ?? 'quiet' }: { value: string; tone?: Tone }) {
  return <span className={`${classes.status} ${classes[tone]}`}>{value}</span>;
}
