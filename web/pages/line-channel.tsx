import { Skeleton, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import { lineEventStates } from '../../shared/contracts/line-channels.ts';
import { ChannelBoard, tabs } from '../features/line-channels/channel-board.tsx';
import { eventTypes } from '../features/line-channels/events.tsx';
import { useBeginBroadcast } from '../features/line-campaigns/use-begin-broadcast.ts';
import { useLineChannel, type EventFilter } from '../features/line-channels/line-channels.queries.ts';
import { filledBubbles } from '../features/rich-messages/bubbles.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/paged-list.tsx';

const RichGallery = later(
  async () => (await import('../features/rich-messages/gallery.tsx')).RichGallery,
  SkeletonRows,
);
const contentField = () => import('../features/rich-messages/content-field.tsx');
const content = {
  Field: lazy(async () => ({ default: (await contentField()).ContentField })),
  Preview: lazy(async () => ({ default: (await contentField()).ContentPreview })),
  filled: filledBubbles,
};
const BroadcastList = later(
  async () => (await import('../features/line-campaigns/broadcast-list.tsx')).BroadcastList,
  SkeletonRows,
);
const StepList = later(async () => (await import('../features/line-campaigns/step-list.tsx')).StepList, SkeletonRows);
const MenuList = later(async () => (await import('../features/line-menus/menu-list.tsx')).MenuList, SkeletonRows);

const route = getRouteApi('/app/Line-Channel/$id');

export default function LineChannelPage() {
  const { t } = useTranslation('common');
  const { id } = route.useParams();
  const { event, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const channel = useLineChannel(id);
  const broadcast = useBeginBroadcast(id);
  useTitle(channel.data?.name);
  if (!channel.data && channel.error) return <RootErrorPage error={channel.error} />;
  if (!channel.data)
    return (
      <Page title={t('page.line-channels')}>
        <Stack maw={680}>
          <Skeleton height={32} />
          <Skeleton height={200} />
        </Stack>
      </Page>
    );
  const filter: EventFilter = {
    type: eventTypes.find((each) => each === search.type),
    state: lineEventStates.find((each) => each === search.state),
  };
  const leave = () => void navigate({ search: {}, replace: true });
  const events = (next: EventFilter) => ({
    tab: 'events',
    ...(next.type && { type: next.type }),
    ...(next.state && { state: next.state }),
  });
  return (
    <ChannelBoard
      key={id}
      channel={channel.data}
      tab={tabs.find((each) => each === search.tab) ?? 'overview'}
      parts={{
        menus: <MenuList channel={channel.data} onFail={leave} />,
        messages: (
          <RichGallery channel={id} onBroadcast={broadcast.isBusy ? undefined : broadcast.begin} onFail={leave} />
        ),
        broadcasts: <BroadcastList channel={channel.data} onFail={leave} />,
        steps: <StepList channel={channel.data} onFail={leave} />,
      }}
      content={content}
      filter={filter}
      event={event}
      onTab={(next) => void navigate({ search: next === 'overview' ? {} : { tab: next }, replace: true })}
      // A filter is no step, and what is open may not be in the list then.
      onFilter={(next) => void navigate({ search: events(next), replace: true })}
      onEvent={(next) =>
        void navigate({ search: { ...events(filter), ...(next && { event: next }) }, replace: event !== undefined })
      }
    />
  );
}
