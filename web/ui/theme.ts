import { createTheme, localStorageColorSchemeManager, mergeThemeOverrides, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Kotae's green from pale to deep. #00b900 itself is for marks and charts; text and buttons take the shades that pass WCAG AA. */
const green: MantineColorsTuple = ['#e9f9e9', '#d0f1d0', '#a3e3a3', '#72d572', '#45c845', '#00b900', '#059605', '#077d0b', '#0a690d', '#0a520c'];

const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 8 },
  colors: { green },
  autoContrast: false,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: '"Inter Variable", "Inter fallback", "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", Meiryo, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "Noto Sans Mono CJK JP", monospace',
  headings: { fontWeight: '650' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '24px' },
  shadows: { xs: '0 1px 2px rgb(0 0 0 / 6%)', sm: '0 1px 3px rgb(0 0 0 / 8%)', md: '0 4px 16px rgb(0 0 0 / 10%)', lg: '0 8px 32px rgb(0 0 0 / 14%)', xl: '0 16px 48px rgb(0 0 0 / 18%)' },
  respectReducedMotion: true,
});

/** The theme; what closes a dialog or a notice is a cross to the eye and this word to a screen reader. */
export function themeWith(close: string) {
  const named = { 'aria-label': close };
  return mergeThemeOverrides(theme, { components: { ModalCloseButton: { defaultProps: named }, DrawerCloseButton: { defaultProps: named }, Notification: { defaultProps: { closeButtonProps: named } } } });
}

/** Where Mantine's own greys and tints fall below WCAG AA on our grounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5b626b', '--mantine-color-error': '#c92a2a', '--mantine-color-placeholder': '#6b7280', '--mantine-color-red-light-color': '#b02525', '--mantine-color-yellow-light-color': '#8a5300', '--mantine-color-blue-light-color': '#1862ab', '--mantine-color-gray-light-color': '#4b5258' },
  dark: { '--mantine-color-dimmed': '#b0b3b8', '--mantine-color-error': '#ff9c9c', '--mantine-color-placeholder': '#9a9da3', '--mantine-color-anchor': '#72d572', '--mantine-color-green-light-color': '#a3e3a3', '--mantine-primary-color-light-color': '#a3e3a3' },
});

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-mode' });

export const progressColor = '#00b900';
