import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';

interface ConfirmButtonProps extends Omit<ButtonProps, 'onClick'> {
  question: string;
  /** The consequences, or the fields of a form. */
  children: ReactNode;
  label: ReactNode;
  /** The label of the dialog's confirming button. */
  confirmLabel: string;
  dismissLabel?: string;
  /** Red by default. */
  confirmColor?: string;
  /** The accessible name, which distinguishes the buttons of a table's rows. */
  name?: string;
  /** Whether the form is not complete. */
  incomplete?: boolean;
  /** Called when the dialog opens. */
  onShow?: () => void;
  act: () => Promise<unknown>;
}

/** A button that asks for confirmation. If the action fails, the dialog stays open and shows the error. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    question,
    children,
    label,
    confirmLabel,
    confirmColor = 'red.8',
    dismissLabel = 'Cancel',
    name,
    incomplete = false,
    onShow,
    act,
    ...button
  } = props;
  const [opened, { open, close }] = useDisclosure();
  const action = useMutation({ mutationFn: act, onSuccess: close });
  const show = () => {
    action.reset();
    onShow?.();
    open();
  };
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={show} {...(name && { 'aria-label': name })}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={question} centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            // React passes events of a dialog on to the form around its button.
            event.stopPropagation();
            if (!incomplete) action.mutate();
          }}
        >
          <Stack>
            <Text size="sm" component="div">
              {children}
            </Text>
            {action.error && <ProblemNote error={action.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {dismissLabel}
              </Button>
              <Button type="submit" color={confirmColor} disabled={incomplete} loading={action.isPending}>
                {confirmLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
