import Sequencer from '@jest/test-sequencer';

/** Files that start and kill whole platforms: each takes a minute or more. */
const long = /[\\/](tools[\\/]chaos|apps[\\/]standalone)[\\/]/;

/** Jest's order, with the longest files first: started last, they would run alone. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => Number(long.test(path));
    return super.sort(tests).sort((one, other) => isLong(other) - isLong(one));
  }
}
