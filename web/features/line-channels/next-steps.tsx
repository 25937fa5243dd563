import { IconChevronRight, IconLayoutGrid, IconMessageHeart, IconSpeakerphone, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lineCampaigns, type ListedBroadcast } from '../../../shared/contracts/line-campaigns.ts';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { lineMenus, type RichMenu } from '../../../shared/contracts/line-menus.ts';
import { call } from '../../lib/api.ts';
import { dayOf, formatAgo, formatDay } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { Section, State, rowClass, type StateKind } from '../../ui/page.tsx';
import classes from './line-channels.module.css';

interface Step {
  tab: 'menus' | 'broadcasts' | 'settings';
  /** Null: nobody has begun it. */
  kind: StateKind | null;
  /** What there is to do; where there is nothing, what it is about. */
  title: string;
  text: string;
  /** The menu that it is about. */
  menu?: string | undefined;
}

const icons: Record<Step['tab'], Icon> = {
  menus: IconLayoutGrid,
  broadcasts: IconSpeakerphone,
  settings: IconMessageHeart,
};

/** What needs somebody stands first, what is done or goes on by itself last. */
const order: Step['kind'][] = ['failed', 'draft', null, 'working', 'live'];

/** What is often done next, as far as it has come. */
export default function NextSteps({ channel: { uuid, settings } }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  const menus = useQuery({
    queryKey: ['line-channels', uuid, 'menus'],
    queryFn: async ({ signal }) => (await call(lineMenus.list, { query: { channel: uuid, limit: 100 }, signal })).data,
  });
  const broadcasts = useQuery({
    queryKey: ['line-channels', uuid, 'broadcasts'],
    queryFn: async ({ signal }) => (await call(lineCampaigns.broadcasts, { query: { channel: uuid }, signal })).data,
  });
  if (menus.isPending || broadcasts.isPending) return null;
  const steps: Step[] = [
    ofMenus(menus.data ?? [], t),
    ofBroadcasts(broadcasts.data ?? [], t),
    settings.greeting.length > 0
      ? { tab: 'settings', kind: 'live', title: t('next.settings.title'), text: t('next.settings.done') }
      : { tab: 'settings', kind: null, title: t('next.settings.begin'), text: t('next.settings.text') },
  ];
  return (
    <Section title={t('next.title')}>
      {steps
        .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
        .map(({ tab, kind, title, text, menu }) => {
          const Sign = icons[tab];
          return (
            <Link
              key={tab}
              {...(menu
                ? { to: '/Line-Channel/$id/Rich-Menu/$menu', params: { id: uuid, menu } }
                : { to: '/Line-Channel/$id', params: { id: uuid }, search: { tab } })}
              className={`${rowClass} ${classes['next']}`}
            >
              <Sign size={18} stroke={1.75} aria-hidden />
              <span>
                <b>{title}</b>
                <small>{kind ? <State kind={kind}>{text}</State> : text}</small>
              </span>
              <IconChevronRight size={16} aria-hidden />
            </Link>
          );
        })}
    </Section>
  );
}

function ofMenus(menus: RichMenu[], t: Translate<'line-channels'>): Step {
  const tab = 'menus';
  const title = t('next.menus.title');
  const shown = menus.find((menu) => menu.default && menu.published);
  if (shown) return { tab, kind: 'live', title, text: t('next.menus.shown', { name: shown.menu.name }) };
  const [begun] = menus.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  if (!begun) return { tab, kind: null, title: t('next.menus.begin'), text: t('next.menus.text') };
  const { name } = begun.menu;
  if (begun.published) return { tab, kind: 'live', title, text: t('next.menus.some', { name }) };
  const publish = t('next.menus.publish', { name });
  if (begun.state === 'failed')
    return { tab, kind: 'failed', title: publish, text: t('next.menus.failed'), menu: begun.uuid };
  const count = begun.problems.filter(({ level }) => level === 'error').length;
  return {
    tab,
    kind: 'draft',
    ...(count > 0
      ? { title: t('next.menus.finish', { name }), text: t('next.menus.left', { count }) }
      : { title: publish, text: t('next.menus.ready') }),
    menu: begun.uuid,
  };
}

/** The newest comes first, but for what goes out by itself. */
function ofBroadcasts(broadcasts: ListedBroadcast[], t: Translate<'line-channels'>): Step {
  const tab = 'broadcasts';
  const title = t('next.broadcasts.title');
  const [due] = broadcasts
    .filter(({ state, dueAt }) => state === 'scheduled' && dueAt !== null)
    .toSorted((one, other) => (one.dueAt ?? '').localeCompare(other.dueAt ?? ''));
  if (due?.dueAt)
    return {
      tab,
      kind: 'working',
      title: t('next.broadcasts.due'),
      text: t('next.broadcasts.scheduled', { name: due.name, at: formatDay(dayOf(due.dueAt)) }),
    };
  const [last] = broadcasts;
  const begin: Step = { tab, kind: null, title: t('next.broadcasts.begin'), text: t('next.broadcasts.text') };
  if (!last) return begin;
  const { name, state, endedAt } = last;
  if (state === 'draft')
    return { tab, kind: 'draft', title: t('next.broadcasts.finish', { name }), text: t('next.broadcasts.draft') };
  if (state === 'failed' || state === 'stopped')
    return { tab, kind: 'failed', title: t('next.broadcasts.check', { name }), text: t('next.broadcasts.failed') };
  return state === 'done' && endedAt
    ? { tab, kind: 'live', title, text: t('next.broadcasts.done', { name, ago: formatAgo(endedAt) }) }
    : begin;
}
