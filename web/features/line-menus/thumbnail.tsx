import { IconPhoto } from '@tabler/icons-react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { Pixels } from '../../ui/pixels.tsx';
import classes from './line-menus.module.css';
import { usePictureBytes } from './line-menus.queries.ts';

/** The picture of a menu, or its areas where it has none. */
export function Thumbnail({ menu, alt = '' }: { menu: RichMenu; alt?: string }) {
  const bytes = usePictureBytes(menu);
  const { size, areas } = menu.menu;
  return (
    <span className={classes['thumbnail']} style={{ aspectRatio: `${size.width} / ${size.height}` }}>
      {bytes.data && menu.image ? (
        <Pixels bytes={bytes.data} mime={menu.image.mime} alt={alt} />
      ) : areas.length > 0 ? (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden>
          {areas.map(({ bounds }, at) => (
            <rect key={at} {...bounds} />
          ))}
        </svg>
      ) : (
        <IconPhoto size={20} stroke={1.5} aria-hidden />
      )}
    </span>
  );
}
