import type { CSSProperties } from 'react';
import type { EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import { inkOn } from '../../ui/contrast.ts';
import { launcherIcons } from './launchers.ts';
import classes from './mini-widget.module.css';

/** A page with the widget on it, as small as a stamp: its color, side, appearance and launcher. */
export function MiniWidget({ look }: { look: EmbedSettings['look'] }) {
  const Launcher = launcherIcons[look.launcher];
  const color = look.scheme === 'dark' ? look.colorDark : look.color;
  return (
    <span
      className={classes['page']}
      data-side={look.position}
      data-scheme={look.scheme}
      // A border: React's styles know no variables of ours.
      style={{ '--own': color, '--own-ink': inkOn(color).ink } as CSSProperties}
      aria-hidden
    >
      <span className={classes['panel']}>
        <i />
        <i />
        <i />
      </span>
      <span className={classes['launcher']}>
        <Launcher size={9} stroke={2.25} />
      </span>
    </span>
  );
}
