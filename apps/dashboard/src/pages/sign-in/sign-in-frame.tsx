import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ColorSchemeToggle } from '../../app/color-scheme-toggle.tsx';
import { Logo } from '../../app/logo.tsx';
import classes from './sign-in.module.css';

/** Frames the sign-in pages: a card in the middle, under the name of the service. `wide` makes room for more than a form. */
export function SignInFrame({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  useEffect(() => {
    document.title = 'Sign in · Capture platform';
  }, []);
  return (
    <main className={classes.page}>
      <div className={classes.top}>
        <ColorSchemeToggle />
      </div>
      <Stack className={(wide ? classes.wide : classes.card) ?? ''} gap="lg">
        <Group gap="sm" justify={wide ? 'flex-start' : 'center'}>
          <Logo size={36} />
          <Title order={1} fz={22}>
            Capture platform
          </Title>
        </Group>
        {children}
      </Stack>
    </main>
  );
}
