import {
  createTheme,
  localStorageColorSchemeManager,
  mergeThemeOverrides,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** Kotae's green from pale to deep. #00b900 itself is for marks and charts; text and buttons take the shades that pass WCAG AA. */
const green: MantineColorsTuple = [
  '#e9f9e9',
  '#d0f1d0',
  '#a3e3a3',
  '#72d572',
  '#45c845',
  '#00b900',
  '#059605',
  '#077d0b',
  '#0a690d',
  '#0a520c',
];

const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 8 },
  colors: { green },
  autoContrast: false,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    '"Inter Variable", "Inter fallback", "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", Meiryo, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "Noto Sans Mono CJK JP", monospace',
  headings: { fontWeight: '650' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '24px' },
  shadows: {
    xs: '0 1px 2px rgb(0 0 0 / 6%)',
    sm: '0 1px 3px rgb(0 0 0 / 8%)',
    md: '0 4px 16px rgb(0 0 0 / 10%)',
    lg: '0 8px 32px rgb(0 0 0 / 14%)',
    xl: '0 16px 48px rgb(0 0 0 / 18%)',
  },
  respectReducedMotion: true,
});

/** The theme. A menu gets no hidden stop before its items, which is not allowed inside one; what closes a dialog or a notice is a cross to the eye and this word to a screen reader. */
export function themeWith(close: string) {
  const named = { 'aria-label': close };
  return mergeThemeOverrides(theme, {
    components: {
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      ModalCloseButton: { defaultProps: named },
      DrawerCloseButton: { defaultProps: named },
      Notification: { defaultProps: { closeButtonProps: named } },
    },
  });
}

/** Grounds of notices and badges in the dark, where Mantine's own are so strong that each shouts; then under the pointer, and their text. */
const tints = (colors: Record<string, [ground: string, hover: string, text: string]>) =>
  Object.fromEntries(
    Object.entries(colors).flatMap(([name, [ground, hover, text]]) => [
      [`--mantine-color-${name}-light`, ground],
      [`--mantine-color-${name}-light-hover`, hover],
      [`--mantine-color-${name}-light-color`, text],
    ]),
  );

/** Where Mantine's own greys and tints fall below WCAG AA on our grounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--kotae-ground': 'var(--mantine-color-gray-0)',
    '--mantine-color-dimmed': '#5b626b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-text': '#c92a2a',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-yellow-light-color': '#8a5300',
    '--mantine-color-blue-light-color': '#1862ab',
    '--mantine-color-gray-light-color': '#4b5258',
  },
  dark: {
    '--kotae-ground': '#1a1a1a',
    '--mantine-color-dimmed': '#b0b3b8',
    '--mantine-color-error': '#ff9c9c',
    '--mantine-color-red-text': '#ff9c9c',
    '--mantine-color-placeholder': '#9a9da3',
    '--mantine-color-anchor': '#72d572',
    '--mantine-primary-color-light-color': '#a3e3a3',
    ...tints({
      green: ['#17331a', '#1d4021', '#a3e3a3'],
      red: ['#3d2022', '#4c282a', '#ffb3b3'],
      yellow: ['#3a2d10', '#493915', '#ffd980'],
      blue: ['#18304a', '#1e3c5c', '#a8d1fb'],
      gray: ['#35383c', '#404449', '#d0d3d7'],
    }),
  },
});

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-mode' });

export const progressColor = '#00b900';
