import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eaf3fd',
  '#d3e5fa',
  '#a6caf4',
  '#77adee',
  '#4f93e8',
  '#2f7fde',
  '#1a6dcb',
  '#0b5bb5',
  '#094b96',
  '#063a75',
]

const dark: MantineColorsTuple = [
  '#e3e8ef',
  '#c1c9d4',
  '#9aa5b5',
  '#76828f',
  '#343d4a',
  '#28303b',
  '#1b212a',
  '#12161c',
  '#0d1015',
  '#080a0d',
]

const DIALOG = {
  closeButtonProps: { 'aria-label': 'Close' },
  // The head of a dialog is not that of the page.
  attributes: { header: { role: 'presentation' } },
  styles: { title: { fontSize: '16px', fontWeight: 600 } },
}

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 7,
  colors: { accent, dark },
  black: '#1c2430',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.5', lg: '1.45', xl: '1.35' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.35' },
      h2: { fontSize: '16px', lineHeight: '1.45' },
      h3: { fontSize: '14px', lineHeight: '1.5' },
    },
  },
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By their names: imported here, they would be part of the first load.
  components: {
    Modal: { defaultProps: { ...DIALOG, centered: true } },
    Drawer: { defaultProps: DIALOG },
    Tabs: { vars: () => ({ root: { '--tabs-color': 'var(--mantine-color-anchor)' } }) },
    Tooltip: {
      defaultProps: { openDelay: 200, events: { hover: true, focus: true, touch: true } },
    },
  },
})

/** Mantine's own quiet text has too little contrast for WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#586272',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d5dbe3',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa5b5',
    '--mantine-color-placeholder': '#8b96a6',
    '--mantine-color-error': '#ff9b92',
    '--mantine-color-anchor': '#7db8ff',
  },
})
