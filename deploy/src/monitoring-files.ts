import { parse } from 'yaml';
import { readText } from './repository.test-support.ts';

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}

/** An expression of PromQL, and its place. */
export interface PlacedExpression {
  of: string;
  expression: string;
}

export function readAlerts(): Alert[] {
  const { groups } = parse(readText('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export function readDashboard(): { uid: string; title: string; panels: Panel[] } {
  return JSON.parse(readText('deploy/grafana/capture-platform.json'));
}

export const expressionsOfAlerts = (): PlacedExpression[] =>
  readAlerts().map(({ alert, expr }) => ({ of: alert, expression: expr }));

export const expressionsOfDashboard = (): PlacedExpression[] =>
  readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, refId }) => ({ of: `${title} ${refId}`, expression: expr })),
  );
