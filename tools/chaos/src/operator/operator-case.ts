import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import type { CaseContext, ChaosCase } from '../case.ts';
import type { Platform, PlatformOptions } from '../harness/platform.ts';
import { type OperatorConsole, openOperatorConsole } from './operator-console.ts';

/** A staged fault, and the signs that lead an operator to its cause. */
export interface StagedFault {
  /** The case is named `operator-<name>`. */
  name: string;
  /** The fault, in a sentence. */
  fault: string;
  /** The alert that fires, which is also a section of the runbook. */
  alert: string;
  /** The metric that the alert's rule reads. */
  metric: string;
  /** Texts of the runbook's section that the operator then finds: words of a log, a command, a metric. */
  leads: readonly string[];
  platform?: PlatformOptions;
  /** Opens a proxy between the gateway and the rest, with the gateway's settings for it. */
  between?(platform: Platform): Promise<Between>;
  /** Stages the fault, checks the operator console, and restores the services for the next case. */
  stage(operator: OperatorConsole, context: CaseContext): Promise<void>;
}

export interface Between {
  /** Overrides the gateway's settings. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Stages a fault and checks that operator console, metrics, alerts and runbook lead from the symptoms to its cause. */
export function operatorCase(staged: StagedFault): ChaosCase {
  return {
    name: `operator-${staged.name}`,
    promise: `${staged.fault} The operator console, the metrics and the runbook's section ${staged.alert} lead to the cause.`,
    async run(context) {
      const platform = await context.open(staged.platform);
      const between = await staged.between?.(platform);
      try {
        await staged.stage(await openOperatorConsole(platform, context, between?.env), context);
      } finally {
        await between?.close();
      }
      const rule = findRule(staged.alert);
      context.expect(rule.includes(staged.metric), `the alert ${staged.alert} reads ${staged.metric}`);
      const section = findSection(staged.alert);
      for (const lead of staged.leads) {
        context.expect(section.includes(lead), `the runbook's section ${staged.alert} names ${JSON.stringify(lead)}`);
      }
      return { lost: 0, faults: [] };
    },
  };
}

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** Returns the rule of an alert, with its expression; empty if there is none. */
function findRule(alert: string): string {
  const rules = read('deploy/prometheus/alerts.yml').split(/^\s*- alert: /m);
  return rules.find((rule) => new RegExp(`^${alert}\\b`).test(rule)) ?? '';
}

/** Returns a section of the runbook; empty if there is none. */
function findSection(heading: string): string {
  const sections = read('docs/runbook.md').split(/^## /m);
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
}
