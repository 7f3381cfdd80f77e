import { Button, FileButton, Group, List, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { toProblem } from '../../api/problem.ts';
import type { CaptureType } from '../../api/responses.ts';
import { kinds, useKindOptions } from '../../captures/kinds.ts';
import type { OptionValues } from '../../options/control.ts';
import type { Faults } from '../../options/faults.ts';
import { OptionsForm } from '../../options/options-form.tsx';
import { countText } from '../../ui/figures.ts';
import { IconUpload } from '../../ui/icons.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type ListedUrl, readList } from './read-list.ts';
import { submitBatch } from './submit-batch.ts';

/** Options that batch items do not have. */
const excludedOptions: ReadonlySet<string> = new Set(['url', 'html', 'async', 'response_type', 'webhook_url']);

/** Submits a pasted or uploaded list of URLs, with options for all of them. */
export function NewBatch() {
  const [text, setText] = useState('');
  const [type, setType] = useState<CaptureType>('screenshot');
  const [values, setValues] = useState<OptionValues>({});
  const [webhookUrl, setWebhookUrl] = useState('');
  const { optionsOf, error, refetch } = useKindOptions();
  const navigate = useNavigate();
  const client = useQueryClient();
  const list = useMemo(() => readList(text), [text]);
  const setValue = useCallback(
    (name: string, value: unknown) => setValues((previous) => ({ ...previous, [name]: value })),
    [],
  );

  const known = optionsOf(type);
  const options = Object.fromEntries(Object.entries(known ?? {}).filter(([name]) => !excludedOptions.has(name)));
  const submit = useMutation({
    mutationFn: () =>
      submitBatch({
        items: list.urls.map(({ url }) => ({ url })),
        type,
        options: Object.fromEntries(Object.entries(values).filter(([name]) => name in options)),
        ...(webhookUrl !== '' && { webhook_url: webhookUrl }),
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
      <PageHeading title="New batch" lead="Each URL is captured once, all with the same options." />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Stack gap="lg">
          <Surface title="URLs">
            <Stack>
              <Textarea
                label="One URL per line, or a table with a URL column"
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
                  {countText(count)} URL{count === 1 ? '' : 's'}
                  {list.repeated > 0 &&
                    `, ${countText(list.repeated)} duplicate${list.repeated === 1 ? '' : 's'} ignored`}
                  {list.faults.length > 0 &&
                    `, ${countText(list.faults.length)} invalid line${list.faults.length === 1 ? '' : 's'}`}
                </Text>
              </Group>
              <LineFaults faults={[...list.faults, ...itemFaults(submit.error, list.urls)]} />
            </Stack>
          </Surface>
          <Surface title="Options">
            <Stack>
              <SegmentedControl
                aria-label="Kind of capture"
                style={{ alignSelf: 'flex-start' }}
                value={type}
                onChange={(chosen) => setType(chosen as CaptureType)}
                data={kinds.map((kind) => ({ value: kind.type, label: kind.label }))}
              />
              <TextInput
                label="Webhook"
                type="url"
                description="Receives the events of this batch and its captures."
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
              A batch counts as one request for the rate limit. Each completed capture counts towards the quota.
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
    <List size="sm" c="var(--bad)" aria-label="Invalid lines">
      {faults.slice(0, 20).map(({ line, text, message }) => (
        <List.Item key={`${line} ${message}`} style={{ overflowWrap: 'anywhere' }}>
          Line {line} {message}: {text.slice(0, 120)}
        </List.Item>
      ))}
      {faults.length > 20 && <List.Item>… and {countText(faults.length - 20)} more</List.Item>}
    </List>
  );
}

/** Returns the service's errors about options, by path. */
function faultsOf(error: Error | null): Faults {
  const details = error ? toProblem(error).details : [];
  const ofOptions = details.filter(({ field }) => !field.startsWith('items'));
  return Object.fromEntries(ofOptions.map(({ field, message }) => [field.replace(/^options\./, ''), message]));
}

/** Returns the service's errors about items, by line. */
function itemFaults(error: Error | null, urls: readonly ListedUrl[]) {
  const details = error ? toProblem(error).details : [];
  return details.flatMap(({ field, message }) => {
    const item = urls[Number(/^items\.(\d+)/.exec(field)?.[1] ?? -1)];
    return item ? [{ line: item.line, text: item.url, message }] : [];
  });
}
