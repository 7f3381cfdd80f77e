import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Surface } from '../../ui/surface.tsx';
import { LinkPolicyForm } from './link-policy-form.tsx';
import { LinkSecret } from './link-secret.tsx';

export function Links() {
  return (
    <>
      <PageHeading
        title="Render links"
        lead="Signed URLs that show a screenshot or a PDF in pages and mails, without an API key."
      />
      <Stack gap="lg">
        <LinkSecret />
        <Surface title="Link policy">
          <LinkPolicyForm />
        </Surface>
        <Surface title="Create a link">
          <Text size="sm">
            Copy one as an image tag from the{' '}
            <Anchor component={Link} to="/playground" underline="always">
              playground
            </Anchor>{' '}
            or from the page of a capture. Your servers sign links themselves: see{' '}
            <Anchor href="/docs/links" underline="always">
              Render links
            </Anchor>{' '}
            in the docs.
          </Text>
        </Surface>
      </Stack>
    </>
  );
}
