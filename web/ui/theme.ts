import {
  createTheme,
  mergeThemeOverrides,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

/** Kotae's green from pale to deep. #00b900 itself is for marks and charts; text and buttons take the shades that pass WCAG AA. */
const green: MantineColorsTuple = [
  '#eaf7e9',
  '#c9ecc8',
  '#96dc95',
  '#6fd86c',
  '#2cc52c',
  '#00b900',
  '#0b9a12',
  '#007a0a',
  '#00690a',
  '#00610b',
];

/** Paper and ink: neutrals that lean to green. */
const gray: MantineColorsTuple = [
  '#f6f8f4',
  '#eef1eb',
  '#e3e8df',
  '#dde2d9',
  '#c5ccc0',
  '#858e83',
  '#667066',
  '#545e55',
  '#39423a',
  '#141a15',
];
const dark: MantineColorsTuple = [
  '#e9ede6',
  '#c8d0c7',
  '#a4aea3',
  '#8b968b',
  '#3b463e',
  '#262e28',
  '#1b221d',
  '#141916',
  '#0e1310',
  '#090c0a',
];

/** Vermilion, the color of a seal: somebody must act. */
const red: MantineColorsTuple = [
  '#fdeee9',
  '#fbd9cf',
  '#f5b3a1',
  '#ff8a6b',
  '#e2603f',
  '#ce4626',
  '#c23a1e',
  '#b8331a',
  '#962913',
  '#74200f',
];
/** Gold: it works, but look at it. */
const yellow: MantineColorsTuple = [
  '#fdf3d8',
  '#fae5ad',
  '#f5d27a',
  '#f0b64a',
  '#ecb02a',
  '#e8a90c',
  '#b98503',
  '#7d5a00',
  '#634700',
  '#4a3500',
];
/** Indigo: a member of staff, or work in progress. */
const blue: MantineColorsTuple = [
  '#ebf0fb',
  '#d2ddf5',
  '#aabfe9',
  '#9bb8f5',
  '#5a7fc8',
  '#3b65b3',
  '#2b55a0',
  '#24478c',
  '#1d3970',
  '#162c57',
];

const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 7 },
  colors: { green, gray, dark, red, yellow, blue },
  autoContrast: false,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily:
    '"Inter Variable", "Inter fallback", "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", Meiryo, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "Noto Sans Mono CJK JP", monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '26px' },
      h2: { fontSize: '16px', lineHeight: '22px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '10px', xl: '24px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--pop)',
    lg: 'var(--pop)',
    xl: 'var(--pop)',
  },
  respectReducedMotion: true,
});

/** The theme. A menu gets no hidden stop before its items, which is not allowed inside one; what closes a dialog or a notice is a cross to the eye and this word to a screen reader. */
export function themeWith(close: string) {
  const named = { 'aria-label': close };
  return mergeThemeOverrides(theme, {
    components: {
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      // What is measured against the window never makes the page wider, which on a phone moves what it belongs to.
      Popover: { defaultProps: { floatingStrategy: 'fixed' } },
      Select: { defaultProps: { checkIconPosition: 'right', maxDropdownHeight: 330 } },
      Overlay: { defaultProps: { backgroundOpacity: 0.35 } },
      Switch: { defaultProps: { withThumbIndicator: false } },
      ModalCloseButton: { defaultProps: named },
      DrawerCloseButton: { defaultProps: named },
      Notification: { defaultProps: { closeButtonProps: named } },
    },
  });
}

/** Grounds of notices and badges; then under the pointer, and their text. */
const tints = (colors: Record<string, [ground: string, hover: string, text: string]>) =>
  Object.fromEntries(
    Object.entries(colors).flatMap(([name, [ground, hover, text]]) => [
      [`--mantine-color-${name}-light`, ground],
      [`--mantine-color-${name}-light-hover`, hover],
      [`--mantine-color-${name}-light-color`, text],
    ]),
  );

/** What Mantine draws with, in both modes; its own values of a mode go before those of none. */
const mantine = {
  '--mantine-color-placeholder': 'var(--ink-4)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-body': 'var(--sheet)',
  '--mantine-color-default': 'var(--sheet)',
  '--mantine-color-default-hover': 'var(--paper-2)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-2)',
  '--mantine-color-anchor': 'var(--green-text)',
  '--mantine-color-error': 'var(--shu-text)',
  '--mantine-color-red-text': 'var(--shu-text)',
  '--mantine-color-red-outline': 'var(--shu-text)',
  '--mantine-primary-color-light': 'var(--paper-2)',
  '--mantine-primary-color-light-hover': 'var(--paper-3)',
  '--mantine-primary-color-light-color': 'var(--ink)',
  ...tints({
    green: ['var(--paper-2)', 'var(--paper-3)', 'var(--ink)'],
    gray: ['var(--paper-2)', 'var(--paper-3)', 'var(--ink-2)'],
    red: ['var(--shu-tint)', 'var(--shu-tint)', 'var(--shu-text)'],
    yellow: ['var(--yama-tint)', 'var(--yama-tint)', 'var(--yama-text)'],
    blue: ['var(--ai-tint)', 'var(--ai-tint)', 'var(--ai-text)'],
  }),
};

/** Paper, ink and meaning in both modes, with the contrast of each text on its grounds at 4.5 or more. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--green': '#00b900',
    '--series-1': '#00b900',
    '--shu-fill': '#b8331a',
  },
  light: {
    ...mantine,
    '--sheet': '#ffffff',
    '--desk': '#f6f8f4',
    '--paper-2': '#eef1eb',
    '--paper-3': '#e3e8df',
    '--line': '#dde2d9',
    '--line-2': '#c5ccc0',
    '--edge': '#858e83',
    '--rule': '#39423a',
    '--ink': '#141a15',
    '--ink-2': '#39423a',
    '--ink-3': '#545e55',
    '--ink-4': '#667066',
    '--green-fill': '#007a0a',
    '--green-hover': '#00690a',
    '--green-text': '#00730b',
    '--focus': '#007a0a',
    '--shu': '#c23a1e',
    '--shu-text': '#b8331a',
    '--shu-tint': '#fdeee9',
    '--yama': '#e8a90c',
    '--yama-text': '#7d5a00',
    '--yama-tint': '#fdf3d8',
    '--ai': '#2b55a0',
    '--ai-text': '#24478c',
    '--ai-tint': '#ebf0fb',
    '--series-2': '#1f3a8a',
    '--series-3': '#9a74d0',
    '--series-4': '#8f2f46',
    '--series-other': '#b5bdb3',
    '--marker': '#fff08a',
    '--on-marker': '#141a15',
    '--memo': '#fdf6d3',
    '--memo-edge': '#e2d27f',
    '--pop': '0 1px 2px #141a1510, 0 8px 24px -4px #141a1529',
  },
  dark: {
    ...mantine,
    '--sheet': '#141916',
    '--desk': '#0e1310',
    '--paper-2': '#1b221d',
    '--paper-3': '#262e28',
    '--line': '#2b342d',
    '--line-2': '#3b463e',
    '--edge': '#69746a',
    '--rule': '#69746a',
    '--ink': '#e9ede6',
    '--ink-2': '#c8d0c7',
    '--ink-3': '#a4aea3',
    '--ink-4': '#8b968b',
    '--green-fill': '#0b7f17',
    '--green-hover': '#0a7014',
    '--green-text': '#6fd86c',
    '--focus': '#6fd86c',
    '--shu': '#ff7a57',
    '--shu-text': '#ff8a6b',
    '--shu-tint': '#301a14',
    '--yama': '#f0b64a',
    '--yama-text': '#f0b64a',
    '--yama-tint': '#2b2412',
    '--ai': '#7f9fec',
    '--ai-text': '#9bb8f5',
    '--ai-tint': '#192335',
    '--series-2': '#3f66c9',
    '--series-3': '#b58ce6',
    '--series-4': '#a8415a',
    '--series-other': '#d0d8cf',
    '--marker': '#5a5210',
    '--on-marker': '#e9ede6',
    '--memo': '#2a2714',
    '--memo-edge': '#5a5226',
    '--pop': '0 12px 32px #0008',
  },
});

const colorMode = 'color-mode';

/** Kept as `light`, `dark` or `system`, which Mantine calls `auto`; so did we once. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (usual) => (['light', 'dark'] as const).find((mode) => mode === localStorage.getItem(colorMode)) ?? usual,
  set: (mode) => localStorage.setItem(colorMode, mode === 'auto' ? 'system' : mode),
  clear: () => localStorage.removeItem(colorMode),
  // Once, for as long as the page is there.
  subscribe: (onUpdate) =>
    window.addEventListener('storage', ({ key }) => key === colorMode && onUpdate(colorSchemeManager.get('auto'))),
  unsubscribe: () => {},
};
