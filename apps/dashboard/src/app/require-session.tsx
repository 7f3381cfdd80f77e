import { Center, Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { accountQuery } from '../api/session.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { AccountContext } from './account-context.ts';
import { Shell } from './shell.tsx';

/** The pages behind the sign-in. Who has no session, or none any more, signs in and comes back to where they were. */
export function RequireSession() {
  const { data: account, error, refetch } = useQuery(accountQuery);
  if (account) {
    return (
      <AccountContext value={account}>
        <Shell />
      </AccountContext>
    );
  }
  if (account === null) return <Navigate to="/sign-in" replace state={{ back: here() }} />;
  if (error) {
    return (
      <Container size="xs" py={80}>
        <ProblemNote error={error} retry={() => void refetch()} />
      </Container>
    );
  }
  return (
    <Center h="100vh">
      <Waiting />
    </Center>
  );
}

/** The router is not told of what the playground writes behind the `#`; the window knows. */
function here(): string {
  const { pathname, search, hash } = window.location;
  // Nothing behind `/dashboard` is an address too: as an empty text it would lead nowhere.
  return (pathname.replace(/^\/dashboard/, '') || '/') + search + hash;
}
