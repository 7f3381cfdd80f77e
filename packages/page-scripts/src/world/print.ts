export { releaseBars } from './print/bars.ts';
export { fitCharts } from './print/charts.ts';
export { releaseLists } from './print/lists.ts';
export { releaseRows } from './print/rows.ts';
export { useScreenStyles } from './print/screen-styles.ts';
export { contentSize, removeBreaks } from './print/sheet.ts';
export { exceedsPaper, releaseCells } from './print/width.ts';
