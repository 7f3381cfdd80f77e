import { Anchor } from '@mantine/core';

/** Error codes that the dashboard itself sets, without a response of the service. */
const own: ReadonlySet<string> = new Set(['NO_RESPONSE', 'TOO_SLOW']);

/** Links to the section of the documentation about an error code. */
export function AboutError({ code }: { code: string }) {
  if (own.has(code)) return null;
  return (
    <Anchor href={`/docs/errors#${code.toLowerCase()}`} target="_blank" size="sm">
      About {code}
    </Anchor>
  );
}
