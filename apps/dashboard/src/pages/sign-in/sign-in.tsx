import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import type { Registration } from '../../api/responses.ts';
import { useOffers } from '../../api/service.ts';
import { userQuery } from '../../api/session.ts';
import { homeOf } from '../../app/navigation.ts';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { KeyForm } from './key-form.tsx';
import { LinkForm } from './link-form.tsx';
import { RegistrationForm } from './registration-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Loaded on demand, because most visitors already have an account. */
const FirstCapture = lazy(async () => ({ default: (await import('./first-capture.tsx')).FirstCapture }));

type Mode = 'register' | 'key' | 'link' | 'operator';

export function SignIn() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [mode, setMode] = useState<Mode>(state?.mode === 'link' ? 'link' : 'key');
  const [registered, setRegistered] = useState<{ registration: Registration; url: string } | null>(null);
  const { data: user } = useQuery(userQuery);
  const offers = useOffers();
  const back: string = typeof state?.back === 'string' ? state.back : homeOf(user?.role ?? 'account');

  // The user stays on this page, because a new key is shown only once.
  if (user && !registered) return <Navigate to={back} replace />;
  if (registered) {
    return (
      <SignInFrame wide>
        <Suspense fallback={<Waiting />}>
          <FirstCapture {...registered} onContinue={() => navigate(back, { replace: true })} />
        </Suspense>
      </SignInFrame>
    );
  }
  const isOrdinary = mode === 'key' || mode === 'register';
  return (
    <SignInFrame>
      <Surface>
        <Stack>
          {isOrdinary && (
            <SegmentedControl
              fullWidth
              aria-label="Sign in or create an account"
              value={mode}
              onChange={(chosen) => setMode(chosen as Mode)}
              data={[
                { value: 'key', label: 'Sign in' },
                { value: 'register', label: 'Create an account' },
              ]}
            />
          )}
          {mode === 'register' && (
            <RegistrationForm onRegistered={(registration, url) => setRegistered({ registration, url })} />
          )}
          {mode === 'link' && <LinkForm />}
          {mode === 'key' && (
            <KeyForm
              key={mode}
              userRole="account"
              onLost={offers && (offers.signInLinks ? () => setMode('link') : null)}
            />
          )}
          {mode === 'operator' && <KeyForm key={mode} userRole="operator" onLost={null} />}
        </Stack>
      </Surface>
      <Anchor component="button" type="button" size="sm" onClick={() => setMode(isOrdinary ? 'operator' : 'key')}>
        {isOrdinary ? 'Operator sign-in' : mode === 'link' ? 'Sign in with a key' : 'Account sign-in'}
      </Anchor>
      <Tagline />
    </SignInFrame>
  );
}

const Tagline = () => (
  <Text size="sm" c="dimmed" ta="center">
    Screenshots, PDFs and social images of web pages, with one API.{' '}
    <Anchor href="/docs" size="sm">
      Documentation
    </Anchor>
  </Text>
);
