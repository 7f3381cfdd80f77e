/** How a wait for a page can end, in words that finish "The wait ended because …". Receipts have the names as `wait`. */
export const waitEnds = {
  quiet: 'all that a visitor would wait for had arrived and was drawn',
  'in flight': 'a request that the page can do without had not finished',
  stalled: 'a request that the load event waits for did not finish',
  font: 'a font of the text in view had not arrived',
  loading: 'the page looked as if it were loading',
  announced: 'the page still said that it loads, and showed little else',
  cover: 'something empty still covered the page',
  redirect: 'the page was about to open another page',
  moving: 'scripts kept changing the page',
  'cut off': 'a script or style sheet that blocked the page was cancelled',
  'no frames': 'the page was too busy to draw',
  load: 'you asked for it',
  domcontentloaded: 'you asked for it',
  networkidle: 'you asked for it',
} as const;

export type WaitEnd = keyof typeof waitEnds;
