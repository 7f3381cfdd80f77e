import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { Waiting } from '../ui/waiting.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { Logo } from './logo.tsx';
import { homeOf } from './navigation.ts';
import { Navigation } from './navigation.tsx';
import { useWho } from './session-context.ts';
import classes from './shell.module.css';

/** What surrounds every page of somebody who is signed in. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const { role } = useWho();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  // On a new page the reader begins at its top, and so does the Tab key.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    close();
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname, close]);

  return (
    <AppShell
      header={{ height: 58 }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
              aria-expanded={opened}
            />
            <Link to={homeOf(role)} className={classes.name}>
              <Logo />
              Capture platform
            </Link>
          </Group>
          <Group gap={4} wrap="nowrap">
            <ColorSchemeToggle />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm" aria-label="Pages">
        <Navigation onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <div className={classes.main}>
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
