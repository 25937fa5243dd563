import { Skeleton } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { MenuStatistics, RichMenu } from '../../../shared/contracts/line-menus.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatDay, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { DayChart } from '../../ui/day-chart.tsx';
import { Modal } from '../../ui/overlays.tsx';
import table from '../../ui/table.module.css';
import classes from './line-menus.module.css';
import { useStatistics } from './line-menus.queries.ts';
import { Thumbnail } from './thumbnail.tsx';

/** How often the menu that is on LINE was shown, and where it was tapped. */
export function StatisticsDialog({ menu, onClose }: { menu: RichMenu; onClose(): void }) {
  const { t } = useTranslation('line-menus');
  const figures = useStatistics(menu.uuid);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('statistics.title', { name: menu.menu.name })}
      size={figures.data && figures.data.state !== 'ready' ? 'md' : 'xl'}
      centered
    >
      {figures.isPending && <Skeleton height={200} />}
      {figures.error && (
        <p role="alert" className={classes['fault']}>
          {errorText(figures.error)}
        </p>
      )}
      {figures.data && <Figures menu={menu} figures={figures.data} />}
    </Modal>
  );
}

function Figures({ menu, figures }: { menu: RichMenu; figures: MenuStatistics }) {
  const { t } = useTranslation('line-menus');
  const { from, to, state, shown, size, areas, days } = figures;
  const span = t('statistics.span', { from: formatDay(from), to: formatDay(to) });
  const taps = areas.reduce((sum, each) => sum + (each.taps?.count ?? 0), 0);
  if (state !== 'ready')
    return (
      <>
        {state === 'hidden' && <p className={classes['hint']}>{span}</p>}
        <p className={classes['note']}>{t(`statistics.${state}`)}</p>
      </>
    );
  return (
    <div className={classes['figures']}>
      <p className={classes['hint']}>{span}</p>
      <dl>
        <div>
          <dt>{t('statistics.shown')}</dt>
          <dd>{shown ? formatNumber(shown.count) : t('statistics.few')}</dd>
          {shown && <dd>{t('statistics.people', { count: shown.people })}</dd>}
        </div>
        <div>
          <dt>{t('statistics.taps')}</dt>
          <dd>{formatNumber(taps)}</dd>
          {shown && shown.count > 0 && <dd>{t('statistics.rate', { share: formatShare(taps / shown.count) })}</dd>}
        </div>
      </dl>
      <div className={classes['heated']}>
        <Heat menu={menu} size={size} areas={areas} />
        <table className={table['list']} aria-label={t('statistics.areas')}>
          <thead>
            <tr>
              <th>{t('statistics.area')}</th>
              <th data-number>{t('statistics.taps')}</th>
            </tr>
          </thead>
          <tbody>
            {areas.map(({ letter, taps: tapped }) => (
              <tr key={letter}>
                <td>{letter}</td>
                <td data-number title={tapped ? t('statistics.people', { count: tapped.people }) : undefined}>
                  {tapped ? formatNumber(tapped.count) : t('statistics.few')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DayChart
        label={`${t('statistics.byDay')}, ${span}`}
        span={t('statistics.byDay')}
        series={[{ name: t('statistics.taps') }]}
        days={days.map((day) => ({ label: formatDay(day.date), values: [day.taps] }))}
        empty={t('statistics.none')}
        format={formatNumber}
      />
    </div>
  );
}

/** Of the strongest color, what one tap is at least seen by. */
const faintest = 12;
const strongest = 78;

interface HeatProps extends Pick<MenuStatistics, 'size' | 'areas'> {
  menu: RichMenu;
}

/** As it is on LINE; the draft's picture is shown where that is the same. */
function Heat({ menu, size, areas }: HeatProps) {
  const { t } = useTranslation('line-menus');
  const most = Math.max(1, ...areas.map(({ taps }) => taps?.count ?? 0));
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  const shown: RichMenu = {
    ...menu,
    image: menu.published?.changed === false ? menu.image : null,
    menu: { ...menu.menu, size, areas: areas.map(({ bounds }) => ({ bounds, action: null })) },
  };
  return (
    <div role="img" aria-label={t('statistics.heat')} className={classes['heat']}>
      <Thumbnail menu={shown} />
      {areas.map(({ letter, bounds, taps }) => {
        const count = taps?.count ?? 0;
        const heat = count === 0 ? 0 : faintest + (count / most) * (strongest - faintest);
        return (
          <span
            key={letter}
            // A border: React's styles know no variables of ours.
            style={
              {
                insetInlineStart: share(bounds.x, size.width),
                top: share(bounds.y, size.height),
                width: share(bounds.width, size.width),
                height: share(bounds.height, size.height),
                '--heat': `${heat.toFixed(0)}%`,
              } as CSSProperties
            }
          >
            <b>
              {letter} {formatNumber(count)}
            </b>
          </span>
        );
      })}
    </div>
  );
}
