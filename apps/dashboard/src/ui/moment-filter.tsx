import '@mantine/dates/styles.css';
import { DateTimePicker } from '@mantine/dates';

interface MomentFilterProps {
  label: string;
  /** ISO 8601; null is any time. */
  value: string | null;
  onChange: (value: string | null) => void;
}

/** A filter by a moment, chosen in the time of who looks at it. */
export function MomentFilter({ label, value, onChange }: MomentFilterProps) {
  return (
    <DateTimePicker
      label={label}
      placeholder="Any time"
      clearable
      w={200}
      valueFormat="D MMM YYYY HH:mm"
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={localText(value)}
      onChange={(chosen) => onChange(chosen && new Date(chosen.replace(' ', 'T')).toISOString())}
    />
  );
}

/** A moment in the picker's own spelling, in the time of who looks at it. */
function localText(iso: string | null): string | null {
  if (iso === null) return null;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return null;
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
