import { Select } from '@mantine/core';

const hour = 3_600_000;

/** The default span, milliseconds before now. */
export const lastDay = String(24 * hour);

/** The spans are milliseconds before now. */
const spans = [
  { value: String(hour), label: 'Last hour' },
  { value: String(6 * hour), label: 'Last 6 hours' },
  { value: lastDay, label: 'Last day' },
  { value: String(7 * 24 * hour), label: 'Last 7 days' },
  { value: String(30 * 24 * hour), label: 'Last 30 days' },
];

const statuses = [
  { value: 'failed', label: 'Failed only' },
  { value: 'delivered', label: 'Delivered only' },
  { value: 'all', label: 'All outcomes' },
];

/** The service needs a while to replay many thousands of deliveries, milliseconds. */
export const replayTimeoutMs = 120_000;

interface ReplayChoiceProps {
  span: string;
  status: string;
  onSpan: (span: string) => void;
  onStatus: (status: string) => void;
}

/** Chooses the deliveries to replay, by age and outcome. */
export function ReplayChoice({ span, status, onSpan, onStatus }: ReplayChoiceProps) {
  return (
    <>
      <Select
        label="Period"
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
