import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { countText } from '../../../ui/figures.ts';
import type { Issue } from './find-issues.ts';
import classes from './issue-list.module.css';

/** What is wrong, the worst first, each with where one goes on; or that all is well. */
export function IssueList({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) {
    return (
      <section className={`${classes.issue} ${classes.good}`} role="status">
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
  const count = issues.length === 1 ? 'One thing is not right' : `${countText(issues.length)} things are not right`;
  return (
    <section aria-label="What is wrong">
      <Text role="status" fw={600} mb="sm">
        {count}
      </Text>
      <ul className={classes.list}>
        {issues.map((issue) => (
          <li key={issue.title + issue.text} className={`${classes.issue} ${classes[issue.tone]}`}>
            {issue.tone === 'bad' ? (
              <IconAlertOctagon size={22} aria-label="Serious" role="img" />
            ) : (
              <IconAlertTriangle size={22} aria-label="To be looked at" role="img" />
            )}
            <div>
              <Title order={2} fz="md">
                {issue.title}
              </Title>
              <Text size="sm" className={classes.text ?? ''}>
                {issue.text}
              </Text>
              <Group gap="md" mt={6}>
                <Anchor component={Link} to={issue.page.path} size="sm" fw={600}>
                  {issue.page.label}
                </Anchor>
                <Text size="sm" className={classes.text ?? ''}>
                  What to do: docs/runbook.md, {issue.section}
                </Text>
              </Group>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
