import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { countText } from '../../../ui/figures.ts';
import type { Trouble } from './find-problems.ts';
import classes from './problem-list.module.css';

/** What is wrong, the worst first, each with where one goes on; or that all is well. */
export function TroubleList({ troubles }: { troubles: readonly Trouble[] }) {
  if (troubles.length === 0) {
    return (
      <section className={`${classes.trouble} ${classes.good}`} role="status">
        <IconCircleCheck size={26} aria-hidden />
        <div>
          <Title order={2} fz="md">
            All is well
          </Title>
          <Text size="sm">Workers and dispatchers are there, nothing waits for long, and what is due arrives.</Text>
        </div>
      </section>
    );
  }
  const count = troubles.length === 1 ? 'One thing is not right' : `${countText(troubles.length)} things are not right`;
  return (
    <section aria-label="What is wrong">
      <Text role="status" fw={600} mb="sm">
        {count}
      </Text>
      <ul className={classes.list}>
        {troubles.map((trouble) => (
          <li key={trouble.title + trouble.text} className={`${classes.trouble} ${classes[trouble.tone]}`}>
            {trouble.tone === 'bad' ? (
              <IconAlertOctagon size={22} aria-label="Serious" role="img" />
            ) : (
              <IconAlertTriangle size={22} aria-label="To be looked at" role="img" />
            )}
            <div>
              <Title order={2} fz="md">
                {trouble.title}
              </Title>
              <Text size="sm" className={classes.text ?? ''}>
                {trouble.text}
              </Text>
              <Group gap="md" mt={6}>
                <Anchor component={Link} to={trouble.page.path} size="sm" fw={600}>
                  {trouble.page.label}
                </Anchor>
                <Text size="sm" className={classes.text ?? ''}>
                  What to do: docs/runbook.md, {trouble.section}
                </Text>
              </Group>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
