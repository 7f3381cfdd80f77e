import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Lists names and values; empty values are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  const known = Object.entries(facts).filter(([, fact]) => fact !== null && fact !== undefined && fact !== '');
  return (
    <dl className={classes.facts}>
      {known.map(([name, fact]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
