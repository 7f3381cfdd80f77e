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
import { useUser } from './session-context.ts';
import classes from './shell.module.css';

/** The frame of every page behind the sign-in. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const { role } = useUser();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);

  // A new page starts at its top, for reading and for the Tab key.
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
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
        Skip to content
      </button>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close navigation' : 'Open navigation'}
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
