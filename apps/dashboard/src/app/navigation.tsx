import { Anchor, Divider, Stack } from '@mantine/core';
import { NavLink } from 'react-router';
import { useOffers } from '../api/service.ts';
import { places } from './navigation.ts';
import { useWho } from './session-context.ts';
import classes from './shell.module.css';

/** The navigation: the places of who is signed in, as far as this deployment has them. */
export function Navigation({ onChoose }: { onChoose: () => void }) {
  const offers = useOffers();
  const who = useWho();
  const there = places.filter(({ role, registration }) => role === who.role && (!registration || offers?.registration));
  return (
    <>
      <Stack gap={3}>
        {there.map(({ path, label, icon: Picture }) => (
          <NavLink key={path} to={path} end={path === '/operator'} className={classes.place ?? ''} onClick={onChoose}>
            <Picture size={19} stroke={1.7} aria-hidden />
            {label}
          </NavLink>
        ))}
      </Stack>
      <Divider my="sm" mt="auto" color="var(--line)" />
      <Anchor href="/docs" target="_blank" size="sm" px={12} pb={4}>
        API reference
      </Anchor>
    </>
  );
}
