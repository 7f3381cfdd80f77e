import classes from './code-block.module.css';
import { Copy } from './copy.tsx';
import { ScrollRegion } from './scroll-region.tsx';

interface CodeBlockProps {
  code: string;
  /** What it is, for its copy button and for who does not see it. */
  what: string;
  /** Long lines are broken rather than scrolled to. */
  wrapped?: boolean;
}

/** Text to be read and copied as it is. */
export function CodeBlock({ code, what, wrapped = false }: CodeBlockProps) {
  return (
    <div className={`${classes.block} ${wrapped ? classes.wrapped : ''}`}>
      <div className={classes.copy}>
        <Copy text={code} what={what} />
      </div>
      <ScrollRegion label={what} className={classes.text}>
        <pre>{code}</pre>
      </ScrollRegion>
    </div>
  );
}
