import type { ReactNode } from 'react';

/** What scrolls by itself. It takes the focus, so that who has no mouse scrolls it with the arrow keys. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: for the keyboard, as browsers themselves are about to do.
    <section aria-label={label} className={className} tabIndex={0}>
      {children}
    </section>
  );
}
