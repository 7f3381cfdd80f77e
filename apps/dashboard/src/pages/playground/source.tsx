import { Button, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useState } from 'react';
import type { CaptureType } from '../../api/responses.ts';
import { kinds } from '../../captures/kinds.ts';
import type { Asked } from './form-link.ts';

interface SourceProps {
  asked: Asked;
  isPending: boolean;
  faults: Readonly<Record<string, string>>;
  setType: (type: CaptureType) => void;
  setValue: (name: string, value: unknown) => void;
}

/** What is captured, and as what. */
export function Source({ asked, isPending, faults, setType, setValue }: SourceProps) {
  const { url, html } = asked.values as { url?: string; html?: string };
  const [from, setFrom] = useState(html === undefined ? 'url' : 'html');
  const choose = (chosen: string) => {
    setFrom(chosen);
    setValue(chosen === 'url' ? 'html' : 'url', undefined);
  };
  return (
    <Stack>
      <Group gap="sm">
        <SegmentedControl
          aria-label="What is made"
          value={asked.type}
          onChange={(type) => setType(type as CaptureType)}
          data={kinds.map(({ type, label }) => ({ value: type, label }))}
        />
        <SegmentedControl
          aria-label="What it is made of"
          value={from}
          onChange={choose}
          data={[
            { value: 'url', label: 'A web page' },
            { value: 'html', label: 'My HTML' },
          ]}
        />
      </Group>
      <Group align="flex-end" gap="sm">
        {from === 'url' ? (
          <TextInput
            flex="1 1 260px"
            label="Address"
            type="url"
            inputMode="url"
            required
            placeholder="https://example.com/"
            value={url ?? ''}
            error={faults.url}
            onChange={({ currentTarget }) =>
              setValue('url', currentTarget.value === '' ? undefined : currentTarget.value)
            }
          />
        ) : (
          <Textarea
            flex="1 1 260px"
            label="HTML"
            required
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            placeholder="<h1>Hello</h1>"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={html ?? ''}
            error={faults.html}
            onChange={({ currentTarget }) =>
              setValue('html', currentTarget.value === '' ? undefined : currentTarget.value)
            }
          />
        )}
        <Button type="submit" loading={isPending} leftSection={<IconCamera size={18} aria-hidden />}>
          Capture
        </Button>
      </Group>
    </Stack>
  );
}
