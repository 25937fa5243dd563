import { type ReactNode } from 'react';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import type { Values } from './part.ts';
import classes from './web-channels.module.css';

interface Props {
  hours: Values['connection']['hours'];
  isPeopleOnly: boolean;
  /** The fields themselves. */
  children: ReactNode;
}

/** When people are there, what that means to a visitor, and how it looks in a week. */
export function HoursPart({ hours, isPeopleOnly, children }: Props) {
  const { t } = useTranslation('web-channels');
  return (
    <Section title={t('hours.title')}>
      <p className={`${classes['hint']} ${classes['meaning']}`}>
        {t(`hours.${hours ? 'set' : 'always'}.${isPeopleOnly ? 'people' : 'bot'}`)}
      </p>
      {hours && <WeekStrip week={hours.week} />}
      {children}
    </Section>
  );
}

/** The fields tell it in words. */
function WeekStrip({ week }: { week: NonNullable<Props['hours']>['week'] }) {
  const name = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', timeZone: 'UTC' });
  return (
    <div className={classes['week']} aria-hidden>
      {[1, 2, 3, 4, 5, 6, 0].map((day) => (
        <span key={day}>
          {name.format(Date.UTC(2026, 1, 1 + day))}
          <span className={classes['day']}>
            {spansOf(week, day).map(({ from, to }) => (
              <i key={from} style={{ top: `${shareOf(from)}%`, bottom: `${100 - shareOf(to)}%` }} />
            ))}
          </span>
        </span>
      ))}
    </div>
  );
}

/** What of a day's own spans, and of those that go on from the day before, lies in it. */
const spansOf = (week: NonNullable<Props['hours']>['week'], day: number) => [
  ...(week[(day + 6) % 7] ?? []).filter(({ from, to }) => to <= from).map(({ to }) => ({ from: '00:00', to })),
  ...(week[day] ?? []).map(({ from, to }) => ({ from, to: to <= from ? '24:00' : to })),
];

/** How much of a day has passed at a time such as 09:30. */
function shareOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) / 1440) * 100;
}
