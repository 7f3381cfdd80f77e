import { Select } from '@mantine/core';

const hour = 3_600_000;

/** The usual choice, milliseconds ago. */
export const lastDay = String(24 * hour);

/** Milliseconds ago. */
const spans = [
  { value: String(hour), label: 'Of the last hour' },
  { value: String(6 * hour), label: 'Of the last 6 hours' },
  { value: lastDay, label: 'Of the last day' },
  { value: String(7 * 24 * hour), label: 'Of the last 7 days' },
  { value: String(30 * 24 * hour), label: 'Of the last 30 days' },
];

const statuses = [
  { value: 'failed', label: 'Only those that failed' },
  { value: 'delivered', label: 'Only those that were delivered' },
  { value: 'all', label: 'All of them' },
];

/** A replay of many thousands takes its time. */
export const replayWithinMs = 120_000;

interface ReplayChoiceProps {
  span: string;
  status: string;
  onSpan: (span: string) => void;
  onStatus: (status: string) => void;
}

/** Which deliveries are sent again: how old they are at most, and how they ended. */
export function ReplayChoice({ span, status, onSpan, onStatus }: ReplayChoiceProps) {
  return (
    <>
      <Select
        label="Which"
        allowDeselect={false}
        data={spans}
        value={span}
        onChange={(value) => onSpan(value ?? span)}
      />
      <Select
        label="Outcome"
        allowDeselect={false}
        data={statuses}
        value={status}
        onChange={(value) => onStatus(value ?? status)}
      />
    </>
  );
}
