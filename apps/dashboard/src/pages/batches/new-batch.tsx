import {
  Button,
  FileButton,
  Group,
  List,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { toProblem } from '../../api/problem.ts';
import type { CaptureType } from '../../api/responses.ts';
import { kinds, useKindOptions } from '../../captures/kinds.ts';
import type { OptionValues } from '../../options/control.ts';
import { OptionsForm } from '../../options/options-form.tsx';
import { countText } from '../../ui/figures.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type ListedUrl, readList } from './read-list.ts';
import { submitBatch } from './submit-batch.ts';

/** Options that items of batches do not have: how one capture's outcome comes back, and what is captured. */
const notOfItems: ReadonlySet<string> = new Set(['url', 'html', 'async', 'response_type', 'webhook_url']);

/** A list of addresses, pasted or uploaded, and the options for all of them. */
export function NewBatch() {
  const [text, setText] = useState('');
  const [type, setType] = useState<CaptureType>('screenshot');
  const [values, setValues] = useState<OptionValues>({});
  const [webhookUrl, setWebhookUrl] = useState('');
  const [sharePage, setSharePage] = useState(false);
  const { optionsOf, error, refetch } = useKindOptions();
  const navigate = useNavigate();
  const client = useQueryClient();
  const list = useMemo(() => readList(text), [text]);
  const setValue = useCallback(
    (name: string, value: unknown) => setValues((former) => ({ ...former, [name]: value })),
    [],
  );

  const known = optionsOf(type);
  const options = Object.fromEntries(Object.entries(known ?? {}).filter(([name]) => !notOfItems.has(name)));
  const submit = useMutation({
    mutationFn: () =>
      submitBatch({
        items: list.urls.map(({ url }) => ({ url })),
        type,
        options: Object.fromEntries(Object.entries(values).filter(([name]) => name in options)),
        ...(webhookUrl !== '' && { webhook_url: webhookUrl }),
        ...(sharePage && { share_page: true }),
      }),
    onSuccess: ({ batch_id }) => {
      void client.invalidateQueries({ queryKey: ['batches'] });
      return navigate(`/batches/${batch_id}`);
    },
    gcTime: 0,
  });
  const faults = faultsOf(submit.error);
  const count = list.urls.length;
  return (
    <>
      <PageHeading title="New batch" lead="Each address is captured once, all with the same options." />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Stack gap="lg">
          <Surface title="Addresses">
            <Stack>
              <Textarea
                label="One address a line, or a table with a column of them"
                autosize
                minRows={6}
                maxRows={16}
                spellCheck={false}
                placeholder={'https://example.com/\nhttps://example.com/about'}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <Group>
                <FileButton accept=".txt,.csv,text/plain,text/csv" onChange={(file) => file?.text().then(setText)}>
                  {(props) => (
                    <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={15} aria-hidden />}>
                      Upload a list
                    </Button>
                  )}
                </FileButton>
                <Text size="sm" role="status">
                  {countText(count)} address{count === 1 ? '' : 'es'}
                  {list.repeated > 0 && `, ${countText(list.repeated)} repeated and left out`}
                  {list.faults.length > 0 &&
                    `, ${countText(list.faults.length)} line${list.faults.length === 1 ? '' : 's'} not understood`}
                </Text>
              </Group>
              <LineFaults faults={[...list.faults, ...itemFaults(submit.error, list.urls)]} />
            </Stack>
          </Surface>
          <Surface title="Options for all of them">
            <Stack>
              <SegmentedControl
                aria-label="What is made"
                style={{ alignSelf: 'flex-start' }}
                value={type}
                onChange={(chosen) => setType(chosen as CaptureType)}
                data={kinds.map((kind) => ({ value: kind.type, label: kind.label }))}
              />
              <Switch
                label="Let pages share a browser page and its cache"
                description="Quicker where the addresses are of one site; never shared beyond this batch."
                checked={sharePage}
                onChange={(event) => setSharePage(event.currentTarget.checked)}
              />
              <TextInput
                label="Webhook"
                type="url"
                description="Where the events of this batch and of its captures are delivered."
                placeholder="https://hooks.example.com/captures"
                value={webhookUrl}
                error={faults.webhook_url}
                onChange={(event) => setWebhookUrl(event.currentTarget.value)}
              />
              {known ? (
                <OptionsForm options={options} values={values} faults={faults} onChange={setValue} />
              ) : error ? (
                <ProblemNote error={error} retry={() => void refetch()} />
              ) : (
                <Waiting what="Loading the options" />
              )}
            </Stack>
          </Surface>
          {submit.error && <ProblemNote error={submit.error} />}
          <Group>
            <Button type="submit" loading={submit.isPending} disabled={count === 0}>
              Capture {countText(count)} page{count === 1 ? '' : 's'}
            </Button>
            <Text size="sm" c="dimmed">
              A batch is one request for the rate; each capture that completes counts against the quota.
            </Text>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function LineFaults({ faults }: { faults: readonly { line: number; text: string; message: string }[] }) {
  if (faults.length === 0) return null;
  return (
    <List size="sm" c="var(--bad)" aria-label="Lines with faults">
      {faults.slice(0, 20).map(({ line, text, message }) => (
        <List.Item key={`${line} ${message}`} style={{ overflowWrap: 'anywhere' }}>
          Line {line} {message}: {text.slice(0, 120)}
        </List.Item>
      ))}
      {faults.length > 20 && <List.Item>… and {countText(faults.length - 20)} more</List.Item>}
    </List>
  );
}

/** What the service says against the options of all items, by name. */
function faultsOf(error: Error | null): Record<string, string> {
  const named = error ? toProblem(error).details : [];
  return Object.fromEntries(
    named.flatMap(({ field, message }) => {
      const [, name] = /^(?:options\.)?([a-z_]+)/.exec(field) ?? [];
      return name === undefined || name === 'items' ? [] : [[name, message]];
    }),
  );
}

/** What it says against single items, by the line that each stands in. */
function itemFaults(error: Error | null, urls: readonly ListedUrl[]) {
  const named = error ? toProblem(error).details : [];
  return named.flatMap(({ field, message }) => {
    const item = urls[Number(/^items\.(\d+)/.exec(field)?.[1] ?? -1)];
    return item ? [{ line: item.line, text: item.url, message }] : [];
  });
}
