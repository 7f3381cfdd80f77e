import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconMapPinOff } from '../ui/icons.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { homeOf } from './navigation.ts';
import { useUser } from './session-context.ts';

export function NotFound() {
  const { role } = useUser();
  return (
    <>
      <PageHeading title="Page not found" />
      <EmptyState
        icon={IconMapPinOff}
        title="This page does not exist"
        action={
          <Button component={Link} to={homeOf(role)}>
            {role === 'account' ? 'Go to the playground' : 'Go to the overview'}
          </Button>
        }
      >
        Check the URL for typos.
      </EmptyState>
    </>
  );
}
