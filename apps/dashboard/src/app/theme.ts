import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const pine: MantineColorsTuple = [
  '#e8f7f4',
  '#d0ece7',
  '#a3d9d0',
  '#72c5b8',
  '#48b2a2',
  '#249d8c',
  '#148475',
  '#0b6b62',
  '#08564f',
  '#04403b',
];

/** Greys with a tint of the accent colour. */
const slate: MantineColorsTuple = [
  '#d3dad9',
  '#b7c1c0',
  '#9aa6a5',
  '#77827f',
  '#46514f',
  '#343e3d',
  '#28312f',
  '#1c2322',
  '#161c1b',
  '#0f1413',
];

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, dark: slate },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: '650' },
  // By name, so that components that a page does not use are not loaded.
  components: {
    Accordion: { styles: { item: { background: 'var(--surface)', border: '1px solid var(--line)' } } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // The bar stays visible where a table is wider than the screen: nothing else says that there is more.
    TableScrollContainer: {
      defaultProps: { scrollAreaProps: { type: 'auto', offsetScrollbars: 'x', viewportProps: { tabIndex: 0 } } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
});

/** Colours of secondary text: a contrast of at least 4.5:1 on every background. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566361',
    '--mantine-color-placeholder': '#6b7674',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': pine[7],
  },
  dark: {
    '--mantine-color-dimmed': '#a3afad',
    '--mantine-color-placeholder': '#8f9b99',
    '--mantine-color-error': '#ff9b8f',
    '--mantine-color-anchor': pine[3],
  },
});
