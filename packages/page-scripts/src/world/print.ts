export { releaseBars } from './print/bars.ts';
export { fitCharts } from './print/charts.ts';
export { releaseRows } from './print/rows.ts';
export { contentSize, releaseLists, removeBreaks, useScreenStyles } from './print/sheet.ts';
export { exceedsPaper, releaseCells } from './print/width.ts';
