type Chart = SVGSVGElement | HTMLCanvasElement;

/**
 * Scales charts that scripts have drawn as wide as the window to the width of the paper, where their own box would cut them,
 * and keeps the proportions of canvases that fill the window.
 *
 * @param paper.width between the margins of the paper, CSS pixels.
 * @param paper.windowWidth the width of the window that the charts were drawn for.
 */
export function fitCharts(paper: { width: number; windowWidth: number }): void {
  for (const chart of document.querySelectorAll<Chart>('svg, canvas')) {
    const { width: drawn, height } = chart.getBoundingClientRect();
    const isTooWide = drawn > paper.width && drawn <= paper.windowWidth && height > 0;
    const isInside = chart.parentElement?.closest('svg');
    if (isTooWide && !isInside && isCutByBox(chart, drawn * height)) fit(chart, { drawn, height }, paper.width);
  }
  // Paper is taller than the window: a canvas behind the page fills the paper without being stretched.
  for (const canvas of document.querySelectorAll('canvas')) {
    const { width: drawn, height } = canvas.getBoundingClientRect();
    const isStretched = Math.abs(drawn / height / (canvas.width / canvas.height) - 1) > 0.02;
    if (drawn >= window.innerWidth * 0.95 && !isStretched) canvas.style.setProperty('object-fit', 'cover');
  }
}

function fit(chart: Chart, { drawn, height }: { drawn: number; height: number }, width: number): void {
  const whole = wholeOf(chart, width);
  if (whole) {
    // The canvases of a chart lie side by side and over one another: all of them get smaller, or none.
    const { clientWidth = 0 } = whole.parentElement ?? {};
    whole.style.setProperty('zoom', String((clientWidth * width) / window.innerWidth / whole.offsetWidth));
    return;
  }
  if (chart instanceof SVGSVGElement && !chart.hasAttribute('viewBox')) {
    chart.setAttribute('viewBox', `0 0 ${drawn} ${height}`);
  }
  for (let each: Element | null = chart; each && each !== document.body; each = each.parentElement) {
    const { style } = each as HTMLElement;
    const isFixed = each === chart || Number.parseFloat(style?.width ?? '') > width;
    if (isFixed) style?.setProperty('max-width', '100%', 'important');
  }
  chart.style.setProperty('height', 'auto', 'important');
}

/** Finds the outermost box of fixed width around a chart of several canvases; null if the chart has only one canvas. */
function wholeOf(chart: Element, width: number): HTMLElement | null {
  let whole: HTMLElement | null = null;
  for (let each = chart.parentElement; each && each !== document.body; each = each.parentElement) {
    if (Number.parseFloat(each.style.width) > width) whole = each;
  }
  return whole && whole.querySelectorAll('canvas').length > 1 ? whole : null;
}

/** Whether a box cuts a chart that fills it; a map also has images there. */
function isCutByBox(chart: Element, area: number): boolean {
  for (let each = chart.parentElement; each && each !== document.body; each = each.parentElement) {
    if (getComputedStyle(each).overflowX === 'visible') continue;
    return area >= each.clientWidth * each.clientHeight * 0.8 && !each.querySelector('img');
  }
  return false;
}
