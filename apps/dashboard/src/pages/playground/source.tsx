import { Button, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CaptureType } from '../../api/responses.ts';
import { kinds } from '../../captures/kinds.ts';
import { withScheme } from '../../captures/page-url.ts';
import { IconCamera } from '../../ui/icons.tsx';
import type { FormState } from './form-link.ts';
import { PresetChips } from './preset-chips.tsx';

interface SourceProps {
  form: FormState;
  isPending: boolean;
  faults: Readonly<Record<string, string>>;
  setType: (type: CaptureType) => void;
  setValue: (name: string, value: unknown) => void;
}

export function Source({ form, isPending, faults, setType, setValue }: SourceProps) {
  const { url, html } = form.values as { url?: string; html?: string };
  const [source, setSource] = useState(html === undefined ? 'url' : 'html');
  const choose = (chosen: string) => {
    setSource(chosen);
    setValue(chosen === 'url' ? 'html' : 'url', undefined);
  };
  return (
    <Stack>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Kind of capture"
          value={form.type}
          onChange={(type) => setType(type as CaptureType)}
          data={kinds.map(({ type, label }) => ({ value: type, label }))}
        />
        <SegmentedControl
          aria-label="Source"
          value={source}
          onChange={choose}
          data={[
            { value: 'url', label: 'Web page' },
            { value: 'html', label: 'HTML' },
          ]}
        />
      </Group>
      <Group align="flex-start" gap="sm">
        {source === 'url' ? (
          <TextInput
            flex="1 1 260px"
            label="URL"
            type="url"
            inputMode="url"
            required
            placeholder="https://example.com/"
            value={url ?? ''}
            error={faults.url}
            onChange={({ currentTarget }) =>
              setValue('url', currentTarget.value === '' ? undefined : currentTarget.value)
            }
            onBlur={() => url !== undefined && withScheme(url) !== url && setValue('url', withScheme(url))}
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
        {/* The button is next to the field, below the height of its label. */}
        <Button
          type="submit"
          mt={{ base: 0, xs: 25 }}
          loading={isPending}
          leftSection={<IconCamera size={18} aria-hidden />}
        >
          Capture
        </Button>
      </Group>
      <PresetChips form={form} setValue={setValue} />
    </Stack>
  );
}
