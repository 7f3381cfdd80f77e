import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useSignOut } from '../api/session.ts';
import { IconChevronDown, IconLogout, IconUserCircle } from '../ui/icons.tsx';
import { useUser } from './session-context.ts';
import classes from './shell.module.css';

export function AccountMenu() {
  const user = useUser();
  const [name, detail] =
    user.role === 'account'
      ? [user.account.email, `Plan: ${user.account.plan}`]
      : ['Operator', `API form ${user.deployment.form}`];
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(undefined, {
      onError: (error) =>
        notifications.show({ color: 'red', title: 'You are still signed in', message: error.message }),
    });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          rightSection={<IconChevronDown size={15} aria-hidden />}
          aria-label={`Account ${name}`}
          styles={{ label: { color: 'var(--mantine-color-text)' }, section: { color: 'var(--mantine-color-text)' } }}
        >
          <Text span size="sm" visibleFrom="sm" className={classes.who ?? ''}>
            {name}
          </Text>
          <IconUserCircle size={20} className={classes.phone} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          <br />
          {detail}
        </Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
