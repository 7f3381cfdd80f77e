import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './surface.module.css';

interface SurfaceProps {
  title?: string;
  /** The content at the end of the title's row. */
  aside?: ReactNode;
  /** Whether the section reports a problem. */
  isBad?: boolean;
  children: ReactNode;
}

export function Surface({ title, aside, isBad = false, children }: SurfaceProps) {
  const id = useId();
  const className = `${classes.surface} ${isBad ? classes.bad : ''}`;
  if (title === undefined) return <div className={className}>{children}</div>;
  return (
    <section className={className} aria-labelledby={id}>
      <div className={classes.heading}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  );
}
