import Sequencer from '@jest/test-sequencer';

/** Whole platforms that are started, killed and looked at: each of these files takes a minute and more. */
const long = /[\\/](tools[\\/]chaos|apps[\\/]standalone)[\\/]/;

/** Jest's own order, which knows nothing on a clean checkout, but for what takes longest: begun last it would run alone. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => Number(long.test(path));
    return super.sort(tests).sort((one, other) => isLong(other) - isLong(one));
  }
}
