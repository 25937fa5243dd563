import type { Hours } from '../../../shared/contracts/connections.ts';
import { currentLocale, type Translate } from '../../lib/i18n.ts';
import { joinDays } from './schedule-in-short.ts';
import { order, runsOf } from './spans.ts';

interface Line {
  /** The first of the days, by its number. */
  first: number;
  days: string;
  /** Null where nobody is there. */
  times: string | null;
}

/** The week in as few lines as it has kinds of days. */
export function weekInShort({ week }: Hours, t: Translate<'connections'>): Line[] {
  const locale = currentLocale();
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const moment = (day: number) => Date.UTC(2026, 1, 1 + day);
  return runsOf(order, (at) => JSON.stringify(week[at] ?? [])).map((run) => {
    const [first = 0] = run;
    const last = run.at(-1) ?? first;
    const spans = week[first] ?? [];
    return {
      first,
      days:
        run.length > 2
          ? // Sunday is the last day here, and the first of a week.
            weekday.formatRange(moment(first), moment(last || 7))
          : joinDays(run.map((day) => weekday.format(moment(day)))),
      times:
        spans.length === 0
          ? null
          : spans
              .map(({ from, to }) => (from === '00:00' && to === '24:00' ? t('hours.allDay') : `${from}–${to}`))
              .join(t('common:comma')),
    };
  });
}
