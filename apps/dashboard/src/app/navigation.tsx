import { Anchor, Divider, Stack } from '@mantine/core';
import { NavLink } from 'react-router';
import { useOffers } from '../api/service.ts';
import { navItems } from './navigation.ts';
import { useUser } from './session-context.ts';
import classes from './shell.module.css';

export function Navigation({ onChoose }: { onChoose: () => void }) {
  const offers = useOffers();
  const user = useUser();
  const items = navItems.filter(
    ({ role, registration }) => role === user.role && (!registration || offers?.registration),
  );
  return (
    <>
      <Stack gap={3}>
        {items.map(({ path, label, icon: ItemIcon }) => (
          <NavLink key={path} to={path} end={path === '/operator'} className={classes.place ?? ''} onClick={onChoose}>
            <ItemIcon size={19} stroke={1.7} aria-hidden />
            {label}
          </NavLink>
        ))}
      </Stack>
      <Divider my="sm" mt="auto" color="var(--line)" />
      <Anchor href="/docs" target="_blank" size="sm" px={12} pb={4}>
        Documentation
      </Anchor>
    </>
  );
}
