import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { homeOf } from './navigation.ts';
import { useWho } from './session-context.ts';

export function NotFound() {
  const { role } = useWho();
  return (
    <>
      <PageHeading title="Nothing here" />
      <EmptyState
        icon={IconMapPinOff}
        title="There is no such page"
        action={
          <Button component={Link} to={homeOf(role)}>
            {role === 'account' ? 'Go to the playground' : 'Go to the overview'}
          </Button>
        }
      >
        The address may have a slip of the pen in it.
      </EmptyState>
    </>
  );
}
