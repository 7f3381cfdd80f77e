import { parser } from '@prometheus-io/lezer-promql';

/** The contents of a PromQL expression. */
export interface ReadExpression {
  /** Names of the selected metrics. */
  metrics: string[];
  /** Syntax errors, each with its position and text. */
  faults: string[];
}

/** Grafana's variables and values that can replace them. */
const variables: readonly [RegExp, string][] = [
  [/\$__rate_interval|\$__interval|\$__range/g, '5m'],
  [/\$\{?\w+\}?/g, '.*'],
];

export function readExpression(expression: string): ReadExpression {
  const text = variables.reduce((read, [variable, value]) => read.replace(variable, value), expression);
  const metrics: string[] = [];
  const faults: string[] = [];
  parser.parse(text).iterate({
    enter({ type, name, from, to, node }) {
      if (type.isError) faults.push(`at ${from}: ${text.slice(from, to + 20)}`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text.slice(from, to));
    },
  });
  return { metrics: [...new Set(metrics)], faults };
}
