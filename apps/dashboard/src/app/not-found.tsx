import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeading } from '../ui/page-heading.tsx';

export function NotFound() {
  return (
    <>
      <PageHeading title="Nothing here" />
      <EmptyState
        icon={IconMapPinOff}
        title="There is no such page"
        action={
          <Button component={Link} to="/playground">
            Go to the playground
          </Button>
        }
      >
        The address may have a slip of the pen in it.
      </EmptyState>
    </>
  );
}
