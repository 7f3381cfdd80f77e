import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Registration } from '../../api/responses.ts';
import { useSignIn } from '../../api/session.ts';
import { pageUrlFault, withScheme } from '../../captures/page-url.ts';
import { IconArrowRight, IconCamera } from '../../ui/icons.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Result } from '../playground/result.tsx';
import { SnippetTabs } from '../playground/snippet-tabs.tsx';
import { useCapture } from '../playground/use-capture.ts';
import classes from './sign-in.module.css';

interface FirstCaptureProps {
  registration: Registration;
  /** The URL of the page to capture at once; empty if the user has not named a page yet. */
  url: string;
  onContinue: () => void;
}

/** The first screen of a new account: its key, which is shown once, its first capture, and the same request as code. */
export function FirstCapture({ registration: { apiKey, plan }, url: chosen, onContinue }: FirstCaptureProps) {
  const [url, setUrl] = useState(chosen);
  const [captured, setCaptured] = useState(chosen);
  const [fault, setFault] = useState<string>();
  const signIn = useSignIn();
  const capture = useCapture();
  const take = (page: string) => {
    setCaptured(page);
    capture.mutate({ type: 'screenshot', values: { url: page } });
  };
  const start = () =>
    signIn.mutate({ api_key: apiKey }, { onSuccess: () => (chosen === '' ? undefined : take(chosen)) });

  // The capture starts once, even where effects run twice.
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    start();
  });

  const submit = () => {
    const found = pageUrlFault(url);
    setFault(found);
    if (found !== undefined) return;
    setUrl(withScheme(url));
    take(withScheme(url));
  };
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} fz="xl">
            Welcome
          </Title>
          <Text size="sm" c="dimmed">
            Your plan is <b>{plan}</b>.{' '}
            {chosen === ''
              ? 'Copy your key, then capture a first page.'
              : 'Here are your key, your first capture, and the request that took it.'}
          </Text>
        </div>
        <Button
          disabled={!signIn.isSuccess}
          onClick={onContinue}
          rightSection={<IconArrowRight size={16} aria-hidden />}
        >
          I saved it: continue to the dashboard
        </Button>
      </Group>
      <ShownOnce what="API key" secret={apiKey} />
      {signIn.error && <ProblemNote error={signIn.error} retry={start} />}
      <div className={classes.columns}>
        <Stack>
          <Surface>
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                if (!capture.isPending) submit();
              }}
            >
              <Group align="flex-start" gap="sm">
                <TextInput
                  flex="1 1 220px"
                  label="URL"
                  inputMode="url"
                  placeholder="example.com"
                  spellCheck={false}
                  value={url}
                  error={fault}
                  onChange={(event) => {
                    setFault(undefined);
                    setUrl(event.currentTarget.value);
                  }}
                />
                <Button
                  type="submit"
                  mt={{ base: 0, xs: 25 }}
                  variant={capture.shown ? 'default' : 'filled'}
                  loading={capture.isPending}
                  disabled={!signIn.isSuccess}
                  leftSection={<IconCamera size={18} aria-hidden />}
                >
                  {capture.shown ? 'Capture another' : 'Capture'}
                </Button>
              </Group>
            </form>
          </Surface>
          <div aria-live="polite">
            <Result capture={capture} />
          </div>
        </Stack>
        <Surface title="The same request as code">
          <SnippetTabs
            form={{ type: 'screenshot', values: { url: captured || 'https://example.com/' } }}
            apiKey={apiKey}
          />
        </Surface>
      </div>
    </Stack>
  );
}
