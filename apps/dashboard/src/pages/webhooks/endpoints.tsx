import { Accordion, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePages } from '../../api/pages.ts';
import type { Endpoint } from '../../api/responses.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconPlus, IconWebhook } from '../../ui/icons.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Surface } from '../../ui/surface.tsx';
import { ConnectivityTest } from './connectivity-test.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { SigningSecretOfAccount } from './signing-secret.tsx';
import { Verifying } from './verifying.tsx';

/** Shows registered endpoints, the signing secret of the account, and how to verify deliveries. */
export function Endpoints({ events }: { events: string[] }) {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const pages = usePages<'webhooks', Endpoint>('webhooks', '/api/v1/webhooks');
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const add = (
    <Button onClick={() => setAdding(true)} leftSection={<IconPlus size={16} aria-hidden />}>
      Add an endpoint
    </Button>
  );
  return (
    <>
      <PageHeading
        title="Webhooks"
        lead="Your server receives a signed event for each outcome, with retries."
        actions={add}
      />
      <EndpointForm
        opened={adding}
        events={events}
        onClose={() => setAdding(false)}
        onSaved={({ secret: newSecret }) => {
          setSecret(newSecret ?? null);
          void refresh();
        }}
      />
      <Stack gap="lg">
        {secret !== null && (
          <div role="status">
            <ShownOnce
              what="signing secret"
              secret={secret}
              note="Your receiver verifies deliveries with it. It is shown only once."
            />
            <Button mt="xs" size="xs" variant="default" onClick={() => setSecret(null)}>
              I saved it
            </Button>
          </div>
        )}
        <PagedList
          pages={pages}
          what="endpoints"
          empty={
            <Surface>
              <EmptyState icon={IconWebhook} title="No endpoints yet" action={add}>
                An endpoint is an HTTPS URL of your server that receives the events it subscribes to.
              </EmptyState>
            </Surface>
          }
        >
          {(rows) => (
            <Stack gap="md">
              {rows.map((endpoint) => (
                <EndpointCard
                  key={endpoint.id}
                  endpoint={endpoint}
                  events={events}
                  onChanged={refresh}
                  onSecret={setSecret}
                />
              ))}
            </Stack>
          )}
        </PagedList>
        <Accordion multiple variant="separated" order={2}>
          <Accordion.Item value="test">
            <Accordion.Control>
              <Text fw={600}>Test any URL</Text>
            </Accordion.Control>
            <Accordion.Panel>
              <ConnectivityTest events={events} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <SigningSecretOfAccount />
        <Verifying />
      </Stack>
    </>
  );
}
