import { Center, Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import type { Session } from '../api/responses.ts';
import { whoQuery } from '../api/session.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { homeOf } from './navigation.ts';
import { WhoContext } from './session-context.ts';
import { Shell } from './shell.tsx';

/**
 * The pages behind the sign-in, of accounts or of the operator. Who has no session, or none any more, signs in and comes
 * back to where they were; who has come to the others' pages is led to their own.
 */
export function RequireSession({ of }: { of: Session['role'] }) {
  const { data: who, error, refetch } = useQuery(whoQuery);
  if (who && who.role !== of) return <Navigate to={homeOf(who.role)} replace />;
  if (who) {
    return (
      <WhoContext value={who}>
        <Shell />
      </WhoContext>
    );
  }
  if (who === null) return <Navigate to="/sign-in" replace state={{ back: here() }} />;
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
