import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { toProblem } from '../../api/problem.ts';
import { useSignIn } from '../../api/session.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/**
 * Where a sign-in link leads. Opening it uses nothing up, since mail programs open links too: the user confirms. The token is
 * the fragment of the URL, and leaves the address bar with the session.
 */
export function ConfirmLink() {
  const navigate = useNavigate();
  const [token] = useState(() => window.location.hash.slice(1));
  const signIn = useSignIn();
  const confirm = () =>
    signIn.mutate(
      { link_token: token },
      { onSuccess: () => navigate('/keys', { replace: true, state: { byLink: true } }) },
    );
  // What was used or has expired cannot be confirmed again.
  const isOver = signIn.error !== null && toProblem(signIn.error).code === 'UNAUTHORIZED';
  return (
    <SignInFrame>
      <Surface>
        <Stack>
          {token === '' ? (
            <>
              <Text>This link is incomplete. Open the complete link from the mail.</Text>
              <NewLink />
            </>
          ) : (
            <>
              {!isOver && <Text>You opened a sign-in link. It works once; your API keys keep working.</Text>}
              {signIn.error && <ProblemNote error={signIn.error} />}
              {isOver ? (
                <NewLink />
              ) : (
                <Button loading={signIn.isPending} onClick={confirm}>
                  Sign in
                </Button>
              )}
            </>
          )}
        </Stack>
      </Surface>
      <Anchor component={Link} to="/sign-in" size="sm" ta="center">
        Other ways to sign in
      </Anchor>
    </SignInFrame>
  );
}

const NewLink = () => (
  <Button component={Link} to="/sign-in" state={{ mode: 'link' }}>
    Request a new link
  </Button>
);
