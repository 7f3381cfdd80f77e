import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { countText } from '../../../ui/figures.ts';
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '../../../ui/icons.tsx';
import type { Issue } from './find-issues.ts';
import classes from './issue-list.module.css';

/** Lists all issues, the worst first, with links to details, or notes that there are none. */
export function IssueList({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) {
    return (
      <section className={`${classes.issue} ${classes.good}`} role="status">
        <IconCircleCheck size={26} aria-hidden />
        <div>
          <Title order={2} fz="md">
            No issues
          </Title>
          <Text size="sm">Workers and dispatchers are running, queues are short, and deliveries arrive.</Text>
        </div>
      </section>
    );
  }
  const count = issues.length === 1 ? '1 issue' : `${countText(issues.length)} issues`;
  return (
    <section aria-label="Issues">
      <Text role="status" fw={600} mb="sm">
        {count}
      </Text>
      <ul className={classes.list}>
        {issues.map((issue) => (
          <li key={issue.title + issue.text} className={`${classes.issue} ${classes[issue.tone]}`}>
            {issue.tone === 'bad' ? (
              <IconAlertOctagon size={22} aria-label="Critical" role="img" />
            ) : (
              <IconAlertTriangle size={22} aria-label="Warning" role="img" />
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
                <Anchor href={`/docs/runbook#${issue.section.toLowerCase()}`} target="_blank" size="sm">
                  What to do
                </Anchor>
              </Group>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
