import Sequencer from '@jest/test-sequencer';

/** Files that take more than half a minute, the longest first. */
const longest = [
  /tools[\\/]corpus[\\/]src[\\/]corpus\.test/,
  /tools[\\/]chaos[\\/]/,
  /apps[\\/]standalone[\\/]src[\\/](survival|start)\.test/,
  /apps[\\/]capture-worker[\\/]src[\\/](render|act|load|quality|hostile|clean)[\\/]/,
  /tools[\\/]bench[\\/]src[\\/]query-plans/,
  /apps[\\/](docs|dashboard|cli)[\\/]/,
];

/** Jest's order, with the longest files first: started last, they would run alone. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = longest.findIndex((each) => each.test(path));
      return at < 0 ? longest.length : at;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
