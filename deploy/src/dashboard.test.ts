import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { expressionsOfDashboard, type Panel, readDashboard } from './monitoring-files.ts';
import { readExpression } from './read-promql.ts';

const dashboard = readDashboard();

/**
 * The part of Grafana's dashboard JSON model that an import needs, from its documentation ("View dashboard JSON model").
 * Grafana publishes no complete schema.
 */
const position = {
  type: 'object',
  required: ['h', 'w', 'x', 'y'],
  additionalProperties: false,
  properties: {
    h: { type: 'integer', minimum: 1 },
    w: { type: 'integer', minimum: 1, maximum: 24 },
    x: { type: 'integer', minimum: 0, maximum: 23 },
    y: { type: 'integer', minimum: 0 },
  },
};
const datasource = {
  type: 'object',
  required: ['type', 'uid'],
  properties: { type: { const: 'prometheus' }, uid: { const: `\${datasource}` } },
};
const target = {
  type: 'object',
  required: ['refId', 'expr'],
  // A target without a data source has the data source of its panel.
  properties: { refId: { type: 'string', pattern: '^[A-Z]$' }, expr: { type: 'string', minLength: 1 } },
};
const row = {
  type: 'object',
  required: ['id', 'type', 'title', 'gridPos', 'collapsed', 'panels'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    type: { const: 'row' },
    title: { type: 'string', minLength: 1 },
    gridPos: position,
  },
};
const panel = {
  type: 'object',
  required: ['id', 'type', 'title', 'gridPos', 'datasource', 'fieldConfig', 'options', 'targets'],
  properties: {
    ...row.properties,
    type: { enum: ['timeseries', 'stat', 'table'] },
    datasource,
    fieldConfig: { type: 'object', required: ['defaults', 'overrides'] },
    targets: { type: 'array', minItems: 1, items: target },
  },
};
const schema = {
  type: 'object',
  required: ['uid', 'title', 'schemaVersion', 'panels', 'templating', 'time'],
  properties: {
    uid: { type: 'string', pattern: '^[\\w-]{1,40}$' },
    // The Grafana instance sets the id, so an imported dashboard has none.
    id: { const: null },
    schemaVersion: { type: 'integer', minimum: 36 },
    time: { type: 'object', required: ['from', 'to'] },
    templating: { type: 'object', required: ['list'], properties: { list: { type: 'array', minItems: 1 } } },
    panels: { type: 'array', minItems: 1, items: { oneOf: [row, panel] } },
  },
};

describe('the Grafana dashboard', () => {
  it('can be imported by Grafana', () => {
    const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
    validate(dashboard);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('contains valid PromQL only', () => {
    const faults = expressionsOfDashboard().flatMap(({ of, expression }) =>
      readExpression(expression).faults.map((fault) => `${of}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('has panels with unique ids and titles that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const titles = panels.filter(({ type }) => type !== 'row').map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    const overlapping = panels.filter((one, index) => panels.slice(index + 1).some((other) => overlap(one, other)));
    expect(overlapping.map(({ title }) => title)).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  it('aggregates by max or min the metrics that every gateway reports alike', () => {
    const ofAll = /capture_(queue_(?!wait_seconds)|cleanup_job_|webhook_endpoint|redis_(?!up))/;
    const summed = expressionsOfDashboard().filter(
      ({ expression }) => ofAll.test(expression) && !/^(max|min)\b/.test(expression),
    );
    expect(summed).toEqual([]);
  });
});

function overlap({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean {
  const disjoint = (at: 'x' | 'y', size: 'w' | 'h') =>
    one[at] + one[size] <= other[at] || other[at] + other[size] <= one[at];
  return !disjoint('x', 'w') && !disjoint('y', 'h');
}
