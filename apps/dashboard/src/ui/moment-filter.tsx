import '@mantine/dates/styles.css';
import { DateTimePicker } from '@mantine/dates';

interface MomentFilterProps {
  label: string;
  /** ISO 8601; null for any time. */
  value: string | null;
  onChange: (value: string | null) => void;
}

export function MomentFilter({ label, value, onChange }: MomentFilterProps) {
  return (
    <DateTimePicker
      label={label}
      placeholder="Any time"
      clearable
      weekendDays={[]}
      flex={{ base: '1 1 150px', xs: 'none' }}
      w={{ base: 'auto', xs: 166 }}
      valueFormat="D MMM YYYY HH:mm"
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={localText(value)}
      onChange={(chosen) => onChange(chosen && new Date(chosen.replace(' ', 'T')).toISOString())}
    />
  );
}

/** Writes a time in the format of the picker, in the local time zone. */
function localText(iso: string | null): string | null {
  if (iso === null) return null;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return null;
  const pad = (part: number) => String(part).padStart(2, '0');
  const date = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${date} ${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
}
