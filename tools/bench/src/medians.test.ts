import { expect, it } from '@jest/globals';
import { mediansTable } from './medians.ts';

it('shows the median of several runs with the value of each, for measured figures', () => {
  const { rows } = mediansTable([
    { figures: { ownShare: 12, submissions: 900, throughputServer4: 'not run here' } },
    { figures: { ownShare: 8, submissions: 2_600 } },
    { figures: { ownShare: 9, submissions: 1_200 } },
  ]);
  expect(rows).toEqual([
    ["the service's own share of a response", '9.0 ms', '8.0 ms, 9.0 ms, 12.0 ms', '≤ 12.0 ms', '≤ 8.0 ms', '✓ goal'],
    [
      '`async=true` submissions a second',
      '1,200 /s',
      '900 /s, 1,200 /s, 2,600 /s',
      '≥ 1,000 /s',
      '≥ 2,500 /s',
      '✓ goal',
    ],
  ]);
});
