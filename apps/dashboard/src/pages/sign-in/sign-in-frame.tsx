import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ColorSchemeToggle } from '../../app/color-scheme-toggle.tsx';
import { Logo } from '../../app/logo.tsx';
import classes from './sign-in.module.css';

/** The page around sign-in: a card in the middle, under the name of the service. */
export function SignInFrame({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.title = 'Sign in · Capture platform';
  }, []);
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
        {children}
      </Stack>
    </main>
  );
}
