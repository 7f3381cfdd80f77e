import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './surface.module.css';

/** A section of a page with its own background and heading. */
export function Surface({ title, children, aside }: { title?: string; children: ReactNode; aside?: ReactNode }) {
  const id = useId();
  if (title === undefined) return <div className={classes.surface}>{children}</div>;
  return (
    <section className={classes.surface} aria-labelledby={id}>
      <div
        style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', gap: 12, marginBottom: 12 }}
      >
        <Title order={2} fz="md" id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  );
}
