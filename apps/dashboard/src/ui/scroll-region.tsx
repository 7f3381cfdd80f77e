import type { ReactNode } from 'react';

/** A scrollable region that takes the focus, so that the arrow keys scroll it. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: for scrolling by keyboard; browsers are adopting the same.
    <section aria-label={label} className={className} tabIndex={0}>
      {children}
    </section>
  );
}
