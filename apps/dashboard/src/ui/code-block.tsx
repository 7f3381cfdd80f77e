import classes from './code-block.module.css';
import { Copy } from './copy.tsx';
import { ScrollRegion } from './scroll-region.tsx';

interface CodeBlockProps {
  code: string;
  /** The block's accessible name, also on the copy button. */
  what: string;
  /** The title above the block; `what` by default. */
  title?: string;
  /** Wraps long lines instead of scrolling. */
  wrapped?: boolean;
}

export function CodeBlock({ code, what, title = what, wrapped = false }: CodeBlockProps) {
  return (
    <div className={`${classes.block} ${wrapped ? classes.wrapped : ''}`}>
      <div className={classes.head}>
        <span className={classes.title} aria-hidden>
          {title}
        </span>
        <Copy text={code} what={what} />
      </div>
      <ScrollRegion label={what} className={classes.text}>
        <pre>{code}</pre>
      </ScrollRegion>
    </div>
  );
}
