import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** This file alone decides the typeface, sizes, spacing, colours and component defaults. Style sheets use the variables below. */

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

/** These greys have a tint of the accent colour. */
const slate: MantineColorsTuple = [
  '#d8dedd',
  '#b7c1c0',
  '#9aa6a5',
  '#77827f',
  '#414b49',
  '#2e3837',
  '#222a29',
  '#181e1d',
  '#131817',
  '#0e1211',
];

/** Colours of charts, which readers compare with the legend or the table. */
export const chartColors = {
  completed: '#17998a',
  failed: '#d2604a',
  cached: '#7fb6dd',
  cancelled: '#9aa6a5',
  waiting: '#c98a1b',
  navigation: '#3b82c4',
  acting: '#8b6fc9',
  storing: '#c2607c',
} as const;

/** A dialog's header must not count as the header of the page. */
const inDialog = { header: { role: 'presentation' } };

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, dark: slate },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.55', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '32px' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  shadows: {
    xs: '0 1px 2px rgb(12 24 22 / 5%)',
    md: '0 4px 16px rgb(12 24 22 / 10%), 0 1px 3px rgb(12 24 22 / 8%)',
  },
  // Components are named here, so that components that a page does not use are not loaded.
  components: {
    Accordion: { styles: { item: { background: 'var(--surface)', borderColor: 'var(--line)' } } },
    Button: { styles: { root: { fontWeight: 550 } } },
    Drawer: { defaultProps: { attributes: inDialog } },
    Menu: { defaultProps: { shadow: 'md' } },
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.45 },
        attributes: inDialog,
      },
      styles: { title: { fontWeight: 620, fontSize: '1rem' } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    InputWrapper: { styles: { label: { fontWeight: 550, marginBottom: 4 } } },
  },
});

/** Names for colours, in light and dark. Text in them has a contrast of at least 4.5:1 on its background. */
const light = {
  '--ground': '#f7f9f8',
  '--surface': '#ffffff',
  '--sunken': '#f1f4f3',
  '--line': '#e1e7e5',
  '--accent-ground': '#e3f2ef',
  '--accent-text': '#08564f',
  '--glow': '#d9efe9',
  '--checks': '#e9eeec',
  '--good': '#0a6c3c',
  '--good-ground': '#e4f5ea',
  '--bad': '#a61b12',
  '--bad-ground': '#fdecea',
  '--bad-line': '#efb4ae',
  '--busy': '#1b5a9c',
  '--busy-ground': '#e6f0fb',
  '--quiet': '#4c5856',
  '--quiet-ground': '#edf1f0',
  '--warn': '#7d4e00',
  '--warn-ground': '#fdf2dc',
  '--mantine-color-body': '#ffffff',
  '--mantine-color-text': '#17201e',
  '--mantine-color-dimmed': '#566361',
  '--mantine-color-placeholder': '#6b7674',
  '--mantine-color-error': '#b42318',
  '--mantine-color-anchor': pine[7],
  '--mantine-color-default-border': '#d5dcda',
};

const dark: Record<keyof typeof light, string> = {
  '--ground': '#0e1211',
  '--surface': '#151b1a',
  '--sunken': '#101514',
  '--line': '#263130',
  '--accent-ground': '#16312d',
  '--accent-text': '#a3d9d0',
  '--glow': '#12312c',
  '--checks': '#1d2423',
  '--good': '#6fdba2',
  '--good-ground': '#12301f',
  '--bad': '#ff9b8f',
  '--bad-ground': '#3a1714',
  '--bad-line': '#6f2b25',
  '--busy': '#8cc2ff',
  '--busy-ground': '#13273d',
  '--quiet': '#b0bbb9',
  '--quiet-ground': '#242c2b',
  '--warn': '#f2c063',
  '--warn-ground': '#332508',
  '--mantine-color-body': '#181e1d',
  '--mantine-color-text': '#dfe5e3',
  '--mantine-color-dimmed': '#a3afad',
  '--mantine-color-placeholder': '#8f9b99',
  '--mantine-color-error': '#ff9b8f',
  '--mantine-color-anchor': pine[3],
  '--mantine-color-default-border': '#36413f',
};

const variables = {
  '--chart-good': chartColors.completed,
  '--chart-bad': chartColors.failed,
  '--chart-quiet': chartColors.cancelled,
};

export const cssVariables: CSSVariablesResolver = () => ({ variables, light, dark });
