import { Stack, Tabs, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';
import { type Asked, leftOut, toFragment } from './form-link.ts';
import { snippetsOf } from './snippets.ts';

/** What the form asks for, as a program would ask for it, and as a link to the same form. */
export function SnippetTabs({ asked }: { asked: Asked }) {
  const { origin } = window.location;
  const snippets = snippetsOf(asked, origin);
  const fragment = toFragment(asked);
  const missing = leftOut(asked.values);
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label="The same request">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
        <Tabs.Tab value="link">Link</Tabs.Tab>
      </Tabs.List>
      {snippets.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <CodeBlock code={code} what={`${language} request`} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="link" pt="sm">
        <Stack gap="xs">
          {fragment === null ? (
            <Text size="sm">This form holds too much for a link.</Text>
          ) : (
            <CodeBlock code={`${origin}/dashboard/playground${fragment}`} what="link to this form" wrapped />
          )}
          <Text size="sm" c="dimmed">
            Who follows it finds this form filled in; nothing is captured until they say so.
            {missing.length > 0 && ` Left out, since links are passed on: ${missing.join(', ')}.`}
          </Text>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
