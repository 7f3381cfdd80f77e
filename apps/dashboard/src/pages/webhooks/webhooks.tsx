import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { documentQuery, useOffers } from '../../api/service.ts';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Surface } from '../../ui/surface.tsx';
import { ConnectivityTest } from './connectivity-test.tsx';
import { Endpoints } from './endpoints.tsx';
import { SigningSecretOfAccount } from './signing-secret.tsx';
import { Verifying } from './verifying.tsx';

export function Webhooks() {
  const offers = useOffers();
  const { error, refetch } = useQuery(documentQuery);
  if (!offers) return <NotYet title="Webhooks" what="webhooks" error={error} retry={refetch} />;
  if (offers.registration) return <Endpoints events={offers.events} />;
  return (
    <>
      <PageHeading title="Webhooks" lead="Your server receives an event for each capture that requests it." />
      <Stack gap="lg">
        <Surface title="How it works">
          <Text>
            This service keeps no list of endpoints and no delivery log: a capture or batch that carries{' '}
            <code>webhook_url</code> has its events sent there, once. The operator of this service issues the signing
            secret.
          </Text>
        </Surface>
        <Surface title="Test your endpoint">
          <ConnectivityTest events={offers.events} />
        </Surface>
        {offers.signingSecret && <SigningSecretOfAccount />}
        <Verifying />
      </Stack>
    </>
  );
}
