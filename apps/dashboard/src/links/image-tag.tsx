import { Anchor, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { toProblem } from '../api/problem.ts';
import { request } from '../api/request.ts';
import type { CaptureType, Key, LinkRequest, SignedLink } from '../api/responses.ts';
import type { OptionValues } from '../options/control.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { type LinkedType, linkOf, tagOf } from './link-of.ts';

/** How long the user must pause before the changed form is signed, milliseconds. */
const pauseMs = 400;

/**
 * Shows a capture's options as a tag for other pages. The service signs the tag's link: the browser never gets the link secret.
 */
export function ImageTag({ type, values }: { type: CaptureType; values: OptionValues }) {
  if (type === 'content') return <Text size="sm">Links show images and PDFs, not content.</Text>;
  return <LinkedTag type={type} values={values} />;
}

function LinkedTag({ type, values }: { type: LinkedType; values: OptionValues }) {
  const { link, missing } = linkOf(type, values);
  const [text] = useDebouncedValue(JSON.stringify(link), pauseMs);
  if (typeof values.url !== 'string' || values.url === '') {
    return <Text size="sm">A link shows a web page: enter a URL first.</Text>;
  }
  return (
    <Stack gap="xs">
      <Signed type={type} pageUrl={values.url} link={text} />
      {missing.length > 0 && (
        <Text size="sm">Not in the link, because its viewers would see them: {missing.join(', ')}.</Text>
      )}
    </Stack>
  );
}

function Signed({ type, pageUrl, link }: { type: CaptureType; pageUrl: string; link: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const keys = useQuery({
    queryKey: ['keys', 'all'],
    queryFn: ({ signal }) => request<{ keys: Key[] }>('GET', '/api/v1/keys', { query: { limit: 100 }, signal }),
  });
  const lasting = keys.data?.keys.filter(({ expires_at }) => expires_at === null) ?? [];
  const keyId = chosen ?? lasting[0]?.id;
  const signed = useQuery({
    queryKey: ['signed link', link, keyId],
    queryFn: ({ signal }) => {
      const body = { ...(JSON.parse(link) as LinkRequest), ...(keyId !== undefined && { key_id: keyId }) };
      return request<SignedLink>('POST', '/api/v1/links', { body, signal });
    },
    enabled: !keys.isPending,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (signed.error) return <NotSigned error={signed.error} retry={() => void signed.refetch()} />;
  if (!signed.data) return <Waiting what="Signing the link" />;
  return (
    <>
      <CodeBlock code={tagOf(type, pageUrl, signed.data)} what={type === 'pdf' ? 'link tag' : 'image tag'} wrapped />
      <CodeBlock code={signed.data.url} what="signed URL" wrapped />
      {lasting.length > 1 && (
        <Select
          label="API key in the link"
          description="Only its ID. Revoking the key ends the link."
          allowDeselect={false}
          data={lasting.map(({ id, name, last_four }) => ({
            value: id,
            label: name ?? `Unnamed, ends in ${last_four}`,
          }))}
          value={keyId ?? null}
          onChange={setChosen}
        />
      )}
      <Text size="sm" c="dimmed">
        The first use renders the page; later ones show the stored file.
      </Text>
    </>
  );
}

function NotSigned({ error, retry }: { error: Error; retry: () => void }) {
  if (toProblem(error).code !== 'NOT_FOUND') return <ProblemNote error={error} retry={retry} />;
  return (
    <Text size="sm">
      Links need a link secret. Create it on the page{' '}
      <Anchor component={Link} to="/links" underline="always">
        Render links
      </Anchor>
      .
    </Text>
  );
}
