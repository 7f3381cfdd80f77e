import { Button, Stack, Text } from '@mantine/core';
import type { Registration } from '../../api/responses.ts';
import { useSignIn } from '../../api/session.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';

interface FirstKeyProps {
  registration: Registration;
  onContinue: () => void;
}

/** Shows the first key once, with a request to try it. */
export function FirstKey({ registration: { apiKey, plan }, onContinue }: FirstKeyProps) {
  const signIn = useSignIn();
  const command = `curl -fsS -G ${window.location.origin}/api/v1/screenshot \\
  -H 'X-API-Key: ${apiKey}' \\
  --data-urlencode 'url=https://example.com/' -o page.png`;
  return (
    <Stack>
      <ShownOnce what="API key" secret={apiKey} />
      <Text size="sm">
        Your plan is <b>{plan}</b>. Take your first screenshot from a terminal:
      </Text>
      <CodeBlock code={command} what="command" />
      {signIn.error && <ProblemNote error={signIn.error} />}
      <Button loading={signIn.isPending} onClick={() => signIn.mutate({ api_key: apiKey }, { onSuccess: onContinue })}>
        I saved it: continue to the dashboard
      </Button>
    </Stack>
  );
}
