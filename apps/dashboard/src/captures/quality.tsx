import { List, Stack, Text } from '@mantine/core';
import type { Quality } from '../api/responses.ts';
import { Status } from '../ui/status.tsx';
import { Surface } from '../ui/surface.tsx';

/** Explains each reason to the person who looks at the capture. */
const sentences: Readonly<Record<string, string>> = {
  blank: 'It is blank: one colour, and no text or images.',
  incomplete: 'Images, fonts, style sheets or other content in view did not arrive.',
  truncated: 'The page was cut off in the middle: its connection ended too early.',
  challenge: 'The site asked its visitor to prove to be human, or blocked the visit.',
  login_wall: 'It shows a sign-in form; the content is behind it.',
  error_page: 'It shows an error page.',
  overlay: 'Something covers most of the view: a preloader, a backdrop or a dialog.',
  blocked_content: 'Content in view was blocked, by the address rules of this service or by its own site.',
};

const sentenceOf = (reason: string) => sentences[reason] ?? reason;

/** Shows the quality that the service found in the capture. */
export function QualityView({ quality }: { quality: Quality | null | undefined }) {
  if (!quality) return null;
  const { ok, reasons, repaired } = quality;
  return (
    <Surface title="Quality" aside={<QualityMark quality={quality} />}>
      <Stack gap="xs">
        {ok ? <Text size="sm">It shows the page.</Text> : <Reasons reasons={reasons} />}
        {repaired.length > 0 && (
          <Text size="sm" c="dimmed">
            The first try was worse, and the page was captured again ({repaired.join(', ')}).
          </Text>
        )}
      </Stack>
    </Surface>
  );
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  return (
    <List size="sm" aria-label="Reasons">
      {reasons.map((reason) => (
        <List.Item key={reason}>{sentenceOf(reason)}</List.Item>
      ))}
    </List>
  );
}

/** A small mark: `ok`, or the reasons. */
export function QualityMark({ quality }: { quality: Quality }) {
  return <Status value={quality.ok ? 'ok' : quality.reasons.join(', ')} tone={quality.ok ? 'good' : 'warn'} />;
}
