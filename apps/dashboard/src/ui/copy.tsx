import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from './icons.tsx';

/** @param what names the copied text for screen readers. */
export function Copy({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          onClick={copy}
          aria-label={copied ? `${what} copied` : `Copy ${what}`}
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
