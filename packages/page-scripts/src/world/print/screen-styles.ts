/** Prints a page with its styles for the screen if it has none for paper: it would be text without a layout. */
export function useScreenStyles(): void {
  const sheets = [...document.styleSheets, ...document.adoptedStyleSheets].filter(({ disabled }) => !disabled);
  const isForScreen = ({ media }: StyleSheet) =>
    media.length > 0 && [...media].every((each) => /^(only )?screen\b/i.test(each));
  if (!sheets.every(isForScreen)) return;
  for (const { media } of sheets) media.mediaText = media.mediaText.replaceAll(/\bscreen\b/gi, 'all');
}
