import type { FocusEvent, MouseEvent } from 'react';
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const accent: MantineColorsTuple = [
  '#f3f3ff',
  '#e7e7fe',
  '#cfcffb',
  '#b2b1f6',
  '#9593f0',
  '#7d7aea',
  '#6663e2',
  '#5451d0',
  '#4542b3',
  '#35338c',
];

const gray: MantineColorsTuple = [
  '#fafafb',
  '#f4f4f6',
  '#e9eaee',
  '#dcdde3',
  '#c5c8d0',
  '#a2a6b1',
  '#7d828e',
  '#5c616d',
  '#3c404a',
  '#1d1f25',
];

const dark: MantineColorsTuple = [
  '#ececf0',
  '#c4c6cd',
  '#9c9fab',
  '#73767f',
  '#363941',
  '#2c2f36',
  '#22242a',
  '#18191d',
  '#121316',
  '#0c0d0f',
];

/** What opens softly is gone at once: a key pressed after Escape is the page's again. */
const opensIn = (duration: number) => ({ duration, exitDuration: 0 });

/** A click into a choice that can be searched begins the search anew: its old text is chosen, to be typed over. */
const typedOver = {
  onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    if (currentTarget.readOnly) return;
    currentTarget.dataset['fresh'] = '';
    currentTarget.select();
  },
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    if (currentTarget.dataset['fresh'] === undefined) return;
    delete currentTarget.dataset['fresh'];
    currentTarget.select();
  },
};

/** The look: Inter, one indigo accent, neutral greys, radius 8, a 4 px grid, one shadow for overlays. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, gray, dark },
  black: '#1d1f25',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.35' },
      h2: { fontSize: '16px', lineHeight: '1.4' },
      h3: { fontSize: '14px', lineHeight: '1.45' },
      h4: { fontSize: '13px', lineHeight: '1.45' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  shadows: { md: 'var(--gw-shadow)', lg: 'var(--gw-shadow)', xl: 'var(--gw-shadow)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    Tooltip: { defaultProps: { openDelay: 350, fz: 'xs', transitionProps: { duration: 100 } } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: opensIn(100) } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: opensIn(100) } },
    Notification: {
      styles: { description: { color: 'var(--gw-text)' } },
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
    },
    Modal: {
      styles: { title: { fontWeight: 600, fontSize: '15px' } },
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        centered: true,
        transitionProps: opensIn(120),
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
    Drawer: {
      styles: { title: { fontWeight: 600, fontSize: '15px' } },
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
    },
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 500 } },
    TextInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', ...typedOver } },
    MultiSelect: { defaultProps: { size: 'sm' } },
    TagsInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2 } },
    Switch: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
  },
});

/** Words on a soft ground of a status colour are as dark as the status is elsewhere. */
const softWords = Object.fromEntries(
  Object.entries({
    green: 'green',
    red: 'red',
    orange: 'amber',
    yellow: 'amber',
    blue: 'blue',
    violet: 'violet',
  }).map(([color, token]) => [`--mantine-color-${color}-light-color`, `var(--gw-${token})`]),
);

/** Mantine's own surfaces take the tokens of `theme.css`, so that there is one set of greys. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...softWords,
    '--mantine-color-error': 'var(--gw-red)',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5c616d',
    '--mantine-color-default-border': '#dcdde3',
    '--mantine-color-placeholder': '#7d828e',
  },
  dark: {
    ...softWords,
    '--mantine-color-error': 'var(--gw-red)',
    '--mantine-color-body': '#18191d',
    '--mantine-color-dimmed': '#9c9fab',
    '--mantine-color-default-border': '#363941',
    '--mantine-color-placeholder': '#868a95',
  },
});
