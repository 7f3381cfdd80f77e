import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { toProblem } from '../../api/problem.ts';
import { useSignIn } from '../../api/session.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/**
 * The page of a sign-in link. Mail programs open links too, so opening the page does not use the link up: the user confirms. The
 * token is in the fragment of the URL, which leaves the address bar when the session starts.
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
  // A link that was used or has expired cannot be confirmed again.
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
