import { Anchor, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import type { Registration } from '../../api/responses.ts';
import { whoQuery } from '../../api/session.ts';
import { ColorSchemeToggle } from '../../app/color-scheme-toggle.tsx';
import { Logo } from '../../app/logo.tsx';
import { homeOf } from '../../app/navigation.ts';
import { Surface } from '../../ui/surface.tsx';
import { FirstKey } from './first-key.tsx';
import { KeyForm } from './key-form.tsx';
import { RegistrationForm } from './registration-form.tsx';
import classes from './sign-in.module.css';

/** The way in: an address for a first key, or a key for a session. */
export function SignIn() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [way, setWay] = useState<'register' | 'key' | 'operator'>('key');
  const [registration, setRegistration] = useState<Registration | null>(null);
  const { data: who } = useQuery(whoQuery);
  const back: string = typeof state?.back === 'string' ? state.back : homeOf(who?.role ?? 'account');
  useEffect(() => {
    document.title = 'Sign in · Capture platform';
  }, []);

  // Who registers is not taken away from a key that is shown this once.
  if (who && !registration) return <Navigate to={back} replace />;
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
              {way !== 'operator' && (
                <SegmentedControl
                  fullWidth
                  aria-label="How to come in"
                  value={way}
                  onChange={(chosen) => setWay(chosen as typeof way)}
                  data={[
                    { value: 'key', label: 'I have a key' },
                    { value: 'register', label: 'I am new here' },
                  ]}
                />
              )}
              {way === 'register' ? (
                <RegistrationForm onRegistered={setRegistration} />
              ) : (
                <KeyForm key={way} of={way === 'key' ? 'account' : 'operator'} />
              )}
            </Stack>
          )}
        </Surface>
        {!registration && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => setWay(way === 'operator' ? 'key' : 'operator')}
          >
            {way === 'operator' ? 'I use this service' : 'I run this service'}
          </Anchor>
        )}
        <Text size="sm" c="dimmed" ta="center">
          Web pages as screenshots, PDFs and preview images, by one API.
        </Text>
      </Stack>
    </main>
  );
}
