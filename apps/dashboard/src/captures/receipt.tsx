import { Accordion, Code, List, Stack, Table, Text } from '@mantine/core';
import type { Receipt } from '../api/responses.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { countText, sizeText } from '../ui/figures.ts';
import { Surface } from '../ui/surface.tsx';
import { Facts } from './facts.tsx';
import { Timings } from './timings.tsx';

/** What the waiting ended on, in words. */
const waits: Readonly<Record<string, string>> = {
  quiet: 'all had come and was drawn',
  'in flight': 'something asked for after load did not come within a second',
  stalled: 'something that the load event waits for did not come',
  'cut off': 'a script or style sheet that held up the page was given up',
  'no frames': 'the page was too busy to draw',
};

/** How a capture came about: where the time went, what did not come, and what the page said of itself. */
export function ReceiptView({ receipt }: { receipt: Receipt | null | undefined }) {
  if (!receipt) return null;
  const { requests, wait, tries } = receipt;
  return (
    <Surface title="Receipt">
      <Stack>
        <Timings timings={receipt.timings} />
        <Facts
          facts={{
            Title: receipt.title,
            'Final address': receipt.final_url,
            Status: receipt.http_status,
            'Waiting ended': wait && (waits[wait] ? `${wait}: ${waits[wait]}` : wait),
            Requests: `${countText(requests.total)}, ${sizeText(requests.bytes)}`,
            'Did not come': `${countText(requests.failed)}, of them blocked: ${countText(requests.blocked)}`,
            Tries: tries > 1 ? `${tries}: the browser failed once and the page was drawn anew` : null,
          }}
        />
        <Accordion multiple variant="separated" order={3}>
          <Part title="Redirects" count={receipt.redirects.length}>
            <List size="sm">
              {receipt.redirects.map((address) => (
                <List.Item key={address}>{address}</List.Item>
              ))}
            </List>
          </Part>
          <Part title="Requests that did not come" count={requests.failures.length}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Reason</Table.Th>
                  <Table.Th>Address</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {requests.failures.map(({ url, reason }) => (
                  <Table.Tr key={`${reason} ${url}`}>
                    <Table.Td>
                      <Code>{reason}</Code>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{url}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Part>
          <Part title="Console errors" count={receipt.console_errors.length}>
            <CodeBlock code={receipt.console_errors.join('\n')} what="console errors" wrapped />
          </Part>
          <Part title="Your script failed" count={receipt.script_error === null ? 0 : 1}>
            <Text size="sm">{receipt.script_error}</Text>
          </Part>
          <Part title="Advertisements" count={receipt.ads ? 1 : 0}>
            <CodeBlock code={JSON.stringify(receipt.ads, null, 2)} what="what was blocked" wrapped />
          </Part>
          <Part title="Cookie banner" count={receipt.cookie_banner ? 1 : 0}>
            <CodeBlock code={JSON.stringify(receipt.cookie_banner, null, 2)} what="what became of the banner" wrapped />
          </Part>
        </Accordion>
      </Stack>
    </Surface>
  );
}

function Part({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  if (count === 0) return null;
  return (
    // Its name becomes an id, in which there may be no blanks.
    <Accordion.Item value={title.replaceAll(' ', '-')}>
      <Accordion.Control>
        <Text size="sm" fw={600}>
          {title} ({count})
        </Text>
      </Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}
