/** Whether a document says by `@page` what its sheets are like; web sites often set a margin there, and no more. */
export function isMadeForPrint(): boolean {
  return [...document.styleSheets].some((sheet) => {
    try {
      return [...sheet.cssRules].some((rule) => rule instanceof CSSPageRule && describesSheets(rule));
    } catch {
      // A sheet of another site cannot be read.
      return false;
    }
  });
}

function describesSheets(rule: CSSPageRule): boolean {
  const { cssRules: marginBoxes } = rule as CSSPageRule & { cssRules?: CSSRuleList };
  return rule.selectorText !== '' || rule.style.getPropertyValue('size') !== '' || (marginBoxes?.length ?? 0) > 0;
}
