import { Center, Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import type { Session } from '../api/responses.ts';
import { userQuery } from '../api/session.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { homeOf } from './navigation.ts';
import { UserContext } from './session-context.ts';
import { Shell } from './shell.tsx';

/**
 * Guards the pages of accounts or of the operator. Without a session, the user signs in and returns to the same page. A user with
 * the other role is redirected to that role's pages.
 */
export function RequireSession({ userRole }: { userRole: Session['role'] }) {
  const { data: user, error, refetch } = useQuery(userQuery);
  if (user && user.role !== userRole) return <Navigate to={homeOf(user.role)} replace />;
  if (user) {
    return (
      <UserContext value={user}>
        <Shell />
      </UserContext>
    );
  }
  if (user === null) return <Navigate to="/sign-in" replace state={{ back: here() }} />;
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

/** Reads the current path from the window, because the router does not know the fragment that the playground writes. */
function here(): string {
  const { pathname, search, hash } = window.location;
  // The path may be empty, and a link to an empty path leads nowhere.
  return (pathname.replace(/^\/dashboard/, '') || '/') + search + hash;
}
