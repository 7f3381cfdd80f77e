import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { LinkPolicy } from '../../api/responses.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';

const path = '/api/v1/links/policy';

type Limit = Exclude<keyof LinkPolicy, 'allowed_hosts'>;

const limits: readonly { name: Limit; label: string; description: string; min: number }[] = [
  { name: 'max_width', label: 'Maximum width', description: 'Viewport or image, pixels.', min: 1 },
  { name: 'max_height', label: 'Maximum height', description: 'Pixels; excludes full_page and selector.', min: 1 },
  { name: 'renders_per_day', label: 'Renders per day', description: 'Of all links together, UTC.', min: 0 },
  { name: 'renders_per_link', label: 'Renders per link and day', description: 'Equal links are one.', min: 0 },
  { name: 'renders_per_host', label: 'Renders per host and day', description: 'Of the pages of one host.', min: 0 },
];

export function LinkPolicyForm() {
  const { data, error, refetch } = useQuery({
    queryKey: ['link policy'],
    queryFn: ({ signal }) => request<LinkPolicy>('GET', path, { signal }),
    // A refresh must not replace the user's input.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />;
  return data ? <Fields policy={data} /> : <Waiting what="Loading the link policy" />;
}

function Fields({ policy }: { policy: LinkPolicy }) {
  const client = useQueryClient();
  const [hosts, setHosts] = useState((policy.allowed_hosts ?? []).join('\n'));
  const [numbers, setNumbers] = useState<Pick<LinkPolicy, Limit>>(() => {
    const { allowed_hosts: _, ...rest } = policy;
    return rest;
  });
  const save = useMutation({
    mutationFn: () => request<LinkPolicy>('PUT', path, { body: policyOf(hosts, numbers) }),
    onSuccess: (saved) => client.setQueryData(['link policy'], saved),
  });
  const edit = (change: () => void) => {
    save.reset();
    change();
  };
  const faultOf = (name: string) =>
    save.error ? toProblem(save.error).details.find(({ field }) => field.split('.')[0] === name)?.message : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Limits for all links, also those that your servers sign by mistake. An empty field is no limit. What is stored
          is shown beyond the renders of a day.
        </Text>
        <Textarea
          label="Allowed hosts"
          description="Of the captured pages, one per line. *.example.com is every host below example.com."
          placeholder={'example.com\n*.example.com'}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          maw={560}
          value={hosts}
          error={faultOf('allowed_hosts')}
          onChange={({ currentTarget }) => edit(() => setHosts(currentTarget.value))}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          {limits.map(({ name, label, description, min }) => (
            <NumberInput
              key={name}
              label={label}
              description={description}
              placeholder="no limit"
              min={min}
              allowDecimal={false}
              clampBehavior="none"
              value={numbers[name] ?? ''}
              error={faultOf(name)}
              onChange={(entered) =>
                edit(() =>
                  setNumbers(({ [name]: _, ...others }) =>
                    typeof entered === 'number' ? { ...others, [name]: entered } : others,
                  ),
                )
              }
            />
          ))}
        </SimpleGrid>
        {save.error && <ProblemNote error={save.error} />}
        <Group gap="md">
          <Button type="submit" size="xs" loading={save.isPending}>
            Save policy
          </Button>
          <Text size="sm" role="status">
            {save.isSuccess && 'Saved. It applies to all links now.'}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

function policyOf(hosts: string, numbers: Pick<LinkPolicy, Limit>): LinkPolicy {
  const allowed = hosts.split(/[\s,]+/).filter((host) => host !== '');
  return { ...numbers, ...(allowed.length > 0 && { allowed_hosts: allowed }) };
}
