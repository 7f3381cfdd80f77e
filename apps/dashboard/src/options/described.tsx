import { Code } from '@mantine/core';

/** An option's description: what stands between backticks is code. Its unit is told elsewhere. */
export function Described({ text = '' }: { text?: string | undefined }) {
  const parts = text.replace(/\s*Unit: [^.]*\.$/, '').split('`');
  return parts.map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <Code key={key}>{part}</Code> : <span key={key}>{part}</span>;
  });
}
