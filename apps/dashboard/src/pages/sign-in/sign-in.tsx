import { Anchor, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import type { Registration } from '../../api/responses.ts';
import { userQuery } from '../../api/session.ts';
import { ColorSchemeToggle } from '../../app/color-scheme-toggle.tsx';
import { Logo } from '../../app/logo.tsx';
import { homeOf } from '../../app/navigation.ts';
import { Surface } from '../../ui/surface.tsx';
import { FirstKey } from './first-key.tsx';
import { KeyForm } from './key-form.tsx';
import { RegistrationForm } from './registration-form.tsx';
import classes from './sign-in.module.css';

/** Sign-in with a key, or registration for a first key. */
export function SignIn() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [mode, setMode] = useState<'register' | 'key' | 'operator'>('key');
  const [registration, setRegistration] = useState<Registration | null>(null);
  const { data: user } = useQuery(userQuery);
  const back: string = typeof state?.back === 'string' ? state.back : homeOf(user?.role ?? 'account');
  useEffect(() => {
    document.title = 'Sign in · Capture platform';
  }, []);

  // A new key is shown only once: stay on this page.
  if (user && !registration) return <Navigate to={back} replace />;
  return (
    <main className={classes.page}>
      <div className={classes.top}>
        <ColorSchemeToggle />
      </div>
      <Stack className={classes.card ?? ''} gap="lg">
        <Group gap="sm" justify="center">
          <Logo size={40} />
          <Title order={1} fz={26}>
            Capture platform
          </Title>
        </Group>
        <Surface>
          {registration ? (
            <FirstKey registration={registration} onContinue={() => navigate(back, { replace: true })} />
          ) : (
            <Stack>
              {mode !== 'operator' && (
                <SegmentedControl
                  fullWidth
                  aria-label="Sign in or create an account"
                  value={mode}
                  onChange={(chosen) => setMode(chosen as typeof mode)}
                  data={[
                    { value: 'key', label: 'Sign in' },
                    { value: 'register', label: 'Create an account' },
                  ]}
                />
              )}
              {mode === 'register' ? (
                <RegistrationForm onRegistered={setRegistration} />
              ) : (
                <KeyForm key={mode} userRole={mode === 'key' ? 'account' : 'operator'} />
              )}
            </Stack>
          )}
        </Surface>
        {!registration && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => setMode(mode === 'operator' ? 'key' : 'operator')}
          >
            {mode === 'operator' ? 'Account sign-in' : 'Operator sign-in'}
          </Anchor>
        )}
        <Text size="sm" c="dimmed" ta="center">
          Screenshots, PDFs and social images of web pages, with one API.
        </Text>
      </Stack>
    </main>
  );
}
