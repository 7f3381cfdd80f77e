import { parser } from '@prometheus-io/lezer-promql';

/** What an expression of PromQL is made of. */
export interface ReadExpression {
  /** The metrics that it selects, without the suffixes of a histogram's parts. */
  metrics: string[];
  /** Where it is no PromQL, with what stands there. */
  faults: string[];
}

/** Variables that Grafana puts in, as something that can stand in their place. */
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
