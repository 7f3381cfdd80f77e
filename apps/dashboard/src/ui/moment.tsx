import { Text } from '@mantine/core';

const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Shows a relative time, with the exact time as a tooltip; or the exact time. */
export function Moment({ at, exact = false }: { at: string | null; exact?: boolean }) {
  if (at === null) return <Text span>–</Text>;
  const time = new Date(at);
  return (
    <time dateTime={at} title={long.format(time)}>
      {exact ? long.format(time) : ago(time)}
    </time>
  );
}

function ago(time: Date): string {
  const difference = time.getTime() - Date.now();
  for (const [unit, length] of steps) {
    if (Math.abs(difference) >= length) return relative.format(Math.round(difference / length), unit);
  }
  return difference > 5_000 ? 'in less than a minute' : 'just now';
}
