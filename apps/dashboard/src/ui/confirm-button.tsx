import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';

interface ConfirmButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** What is asked, as the dialog's title. */
  question: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button says, and what the one in the dialog says. */
  label: ReactNode;
  confirmLabel: string;
  /** Red, for what is lost, unless it is given. */
  confirmColor?: string;
  /** For buttons that stand in a row each. */
  name?: string;
  act: () => Promise<unknown>;
}

/** A button for what is not done in passing: asks first, and stays open with the reason when it did not work. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { question, children, label, confirmLabel, confirmColor = 'red.8', name, act, ...button } = props;
  const [opened, { open, close }] = useDisclosure();
  const action = useMutation({ mutationFn: act, onSuccess: close });
  const show = () => {
    action.reset();
    open();
  };
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={show} {...(name && { 'aria-label': name })}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={question} centered>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {action.error && <ProblemNote error={action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep it as it is
            </Button>
            <Button color={confirmColor} loading={action.isPending} onClick={() => action.mutate()}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
