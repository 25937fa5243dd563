import type { DesignCell, MenuDesign } from '../../../shared/menu-design.ts';
import { contrastOf } from '../../ui/contrast.ts';

interface Theme {
  ground: string;
  gap: number;
  radius: number;
  /** The first cell, which is to be seen first. */
  lead: Colors;
  /** The others, in turn. */
  others: Colors[];
}
type Colors = Pick<DesignCell, 'fill' | 'ink'>;

export const themeNames = ['shop', 'paper', 'ink', 'sakura', 'sea', 'tiles', 'mint'] as const;
export type ThemeName = (typeof themeNames)[number];

/** Each text has at least 4.5 : 1 on its ground. */
export const themes: Record<ThemeName, Theme> = {
  shop: {
    ground: '#cdbba3',
    gap: 6,
    radius: 0,
    lead: { fill: '#2f6b3a', ink: '#ffffff' },
    others: [{ fill: '#efe5d6', ink: '#3a2b1c' }],
  },
  paper: {
    ground: '#d5dad1',
    gap: 6,
    radius: 0,
    lead: { fill: '#ffffff', ink: '#007a0a' },
    others: [{ fill: '#ffffff', ink: '#141a15' }],
  },
  ink: {
    ground: '#0e1310',
    gap: 24,
    radius: 36,
    lead: { fill: '#f0b64a', ink: '#141a15' },
    others: [{ fill: '#262e28', ink: '#f2f4f0' }],
  },
  sakura: {
    ground: '#fdf3f4',
    gap: 40,
    radius: 90,
    lead: { fill: '#b23a5b', ink: '#ffffff' },
    others: [
      { fill: '#f8dce2', ink: '#7a1f3b' },
      { fill: '#ffffff', ink: '#7a1f3b' },
    ],
  },
  sea: {
    ground: '#1f3a6b',
    gap: 6,
    radius: 0,
    lead: { fill: '#27489c', ink: '#ffffff' },
    others: [
      { fill: '#dfe8f8', ink: '#1f3a6b' },
      { fill: '#ffffff', ink: '#1f3a6b' },
    ],
  },
  tiles: {
    ground: '#ffffff',
    gap: 28,
    radius: 56,
    lead: { fill: '#c23a1e', ink: '#ffffff' },
    others: [
      { fill: '#fdf3d8', ink: '#5a4100' },
      { fill: '#e2efe0', ink: '#1f4d27' },
      { fill: '#e3eaf8', ink: '#24478c' },
      { fill: '#f1e4f3', ink: '#5c2f78' },
    ],
  },
  mint: {
    ground: '#a9d8b9',
    gap: 8,
    radius: 0,
    lead: { fill: '#046b31', ink: '#ffffff' },
    others: [{ fill: '#f3fbf5', ink: '#046b31' }],
  },
};

/** `lead`: to be seen first; `tab`: another tab than the one that is open, which keeps behind. */
export type Role = 'lead' | 'tab' | 'cell';

function colorsOf(theme: Theme, roles: Role[], at: number): Colors {
  if (roles[at] === 'lead') return theme.lead;
  if (roles[at] === 'tab') return { fill: theme.ground, ink: inkOn(theme.ground) };
  const before = roles.slice(0, at).filter((role) => role === 'cell').length;
  return theme.others[before % theme.others.length] ?? theme.lead;
}

const inkOn = (ground: string): string =>
  contrastOf(ground, '#141a15') > contrastOf(ground, '#ffffff') ? '#141a15' : '#ffffff';

/** The same labels and icons in the colors of a theme. */
export function applyTheme(design: MenuDesign, name: ThemeName, roles: Role[]): MenuDesign {
  const theme = themes[name];
  const { ground, gap, radius } = theme;
  return {
    ...design,
    ground,
    gap,
    radius,
    cells: design.cells.map((cell, at) => ({ ...cell, ...colorsOf(theme, roles, at) })),
  };
}

const sampleIcons = ['calendar-event', 'tools-kitchen-2', 'ticket', 'shopping-bag', 'map-pin', 'message-circle'];
const fullSize = 130;
const tabSize = 100;

/** A cell for an area that has none yet. */
export const newCell = (at: number): DesignCell => ({
  fill: '#ffffff',
  ink: '#141a15',
  icon: sampleIcons[at % sampleIcons.length] ?? null,
  label: null,
  size: fullSize,
  bold: true,
});

/** A design to begin with. */
export function newDesign(roles: Role[]): MenuDesign {
  const hasTabs = roles.includes('tab');
  const tabs = hasTabs ? roles.filter((role) => role !== 'cell').length : 0;
  const cells = roles.map((role, at) =>
    hasTabs && role !== 'cell' ? { ...newCell(at), icon: null, size: tabSize } : newCell(at - tabs),
  );
  return applyTheme({ ground: '#ffffff', picture: null, gap: 0, radius: 0, cells }, 'shop', roles);
}
