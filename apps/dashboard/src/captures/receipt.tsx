import { waitEnds } from '@capture/contract/api/wait-ends';
import { Accordion, Code, List, Stack, Text } from '@mantine/core';
import type { Receipt } from '../api/responses.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { countText, sizeText } from '../ui/figures.ts';
import { LongText } from '../ui/long-text.tsx';
import { Surface } from '../ui/surface.tsx';
import { Facts } from './facts.tsx';
import classes from './receipt.module.css';
import { Timings } from './timings.tsx';

const waits: Readonly<Record<string, string>> = waitEnds;

const failures: Readonly<Record<Receipt['browser_failures'][number], string>> = {
  ended: 'it ended, or was replaced because a page blocked it, which need not be this one',
  crashed: 'the page crashed, or exceeded a limit such as memory',
  hung: 'it took too long',
  unavailable: 'there was none for a moment',
};

const networkLimits: Readonly<Record<NonNullable<Receipt['requests']['cut_off']>, string>> = {
  requests: 'too many requests',
  connections: 'too many connections',
  bytes: 'too many bytes',
};

/** Shows the receipt of a capture: timings, failed requests, and console errors. */
export function ReceiptView({ receipt }: { receipt: Receipt | null | undefined }) {
  if (!receipt) return null;
  const { requests, wait, tries, browser_failures: failed } = receipt;
  return (
    <Surface title="Receipt">
      <Stack>
        <Timings timings={receipt.timings} />
        <Facts
          facts={{
            Title: receipt.title,
            'Final URL': receipt.final_url && <LongText text={receipt.final_url} />,
            Status: receipt.http_status,
            'Wait ended': wait && (waits[wait] ? `${wait}: ${waits[wait]}` : wait),
            Requests: `${countText(requests.total)} (${sizeText(requests.bytes)})`,
            'Failed requests':
              requests.failed === 0
                ? 'none'
                : countText(requests.failed) +
                  (requests.blocked > 0 ? `, ${countText(requests.blocked)} of them blocked` : ''),
            'Network cut off': requests.cut_off && networkLimits[requests.cut_off],
            'Dismissed dialogs': receipt.dialogs > 0 ? countText(receipt.dialogs) : null,
            Tries: tries > 1 ? (failed.length > 0 ? tries : `${tries}: the first result was worth a second try`) : null,
            'Browser failures': failed.map((kind) => `${kind}: ${failures[kind]}`).join('; '),
          }}
        />
        <Accordion multiple variant="contained" order={3} className={classes.parts ?? ''}>
          <Part title="Redirects" count={receipt.redirects.length}>
            <List size="sm">
              {receipt.redirects.map((url) => (
                <List.Item key={url}>{url}</List.Item>
              ))}
            </List>
          </Part>
          <Part title="Failed or pending requests" count={requests.failures.length} of={requests.failed}>
            <List size="sm" listStyleType="none" spacing="xs">
              {requests.failures.map(({ url, reason }) => (
                <List.Item key={`${reason} ${url}`} style={{ overflowWrap: 'anywhere' }}>
                  <Code>{reason}</Code> {url}
                </List.Item>
              ))}
            </List>
          </Part>
          <Part title="Console errors" count={receipt.console_errors.length}>
            <CodeBlock code={receipt.console_errors.join('\n')} what="console errors" wrapped />
          </Part>
          <Part title="Script error" count={receipt.script_error === null ? 0 : 1}>
            <Text size="sm">{receipt.script_error}</Text>
          </Part>
          <Part title="Advertisements" count={receipt.ads ? 1 : 0}>
            <CodeBlock code={JSON.stringify(receipt.ads, null, 2)} what="blocked advertisements" wrapped />
          </Part>
          <Part title="Cookie banner" count={receipt.cookie_banner ? 1 : 0}>
            <CodeBlock code={JSON.stringify(receipt.cookie_banner, null, 2)} what="cookie banner" wrapped />
          </Part>
        </Accordion>
      </Stack>
    </Surface>
  );
}

interface PartProps {
  title: string;
  count: number;
  /** The number of all entries, if the receipt has only the first. */
  of?: number;
  children: React.ReactNode;
}

function Part({ title, count, of = 0, children }: PartProps) {
  if (count === 0) return null;
  return (
    // The value becomes an ID, which must not contain spaces.
    <Accordion.Item value={title.replaceAll(' ', '-')}>
      <Accordion.Control>
        <Text size="sm" fw={600}>
          {title} ({of > count ? `the first ${countText(count)} of ${countText(of)}` : count})
        </Text>
      </Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}
