import { Stack, Tabs, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { excludedFromLink, type FormState, toFragment } from './form-link.ts';
import { snippetsOf } from './snippets.ts';

const ImageTag = lazy(async () => ({ default: (await import('../../links/image-tag.tsx')).ImageTag }));

interface SnippetTabsProps {
  form: FormState;
  /** A newly created key: the command then works unchanged, and there is no form to link to yet. */
  apiKey?: string;
}

/** Captures the example page if the form is empty, because a request without a page would fail. */
function withPage({ type, values }: FormState): FormState {
  const isEmpty = values.url === undefined && values.html === undefined;
  return { type, values: isEmpty ? { url: 'https://example.com/', ...values } : values };
}

/** Shows the request as code, and a link to the form. */
export function SnippetTabs({ form, apiKey }: SnippetTabsProps) {
  const { origin } = window.location;
  const snippets = snippetsOf(withPage(form), origin, apiKey);
  const fragment = toFragment(form);
  const missing = excludedFromLink(form.values);
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label="Request as code">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
        {apiKey === undefined && <Tabs.Tab value="tag">{form.type === 'pdf' ? 'Link tag' : 'Image tag'}</Tabs.Tab>}
        {apiKey === undefined && <Tabs.Tab value="link">Link</Tabs.Tab>}
      </Tabs.List>
      {snippets.map(({ language, title, code }) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <CodeBlock code={code} what={`${language} request`} title={title} wrapped={apiKey !== undefined} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="tag" pt="sm">
        <Suspense fallback={<Waiting what="Loading the image tag" />}>
          <ImageTag type={form.type} values={form.values} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="link" pt="sm">
        <Stack gap="xs">
          {fragment === null ? (
            <Text size="sm">This form is too long for a link.</Text>
          ) : (
            <CodeBlock code={`${origin}/dashboard/playground${fragment}`} what="link to this form" wrapped />
          )}
          <Text size="sm" c="dimmed">
            The link opens this form filled in. Nothing is captured until it is submitted.
            {missing.length > 0 && ` Not in the link: ${missing.join(', ')}.`}
          </Text>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
