import { ActionIcon, Button, Menu, type ButtonProps } from '@mantine/core';
import {
  IconChartBar,
  IconClock,
  IconCloudOff,
  IconCloudSearch,
  IconCloudUpload,
  IconCopy,
  IconDots,
  IconDownload,
  IconGripVertical,
  IconPencil,
  IconPhoto,
  IconPlus,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatList, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Section, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { toast } from '../../ui/toast.tsx';
import { useOrder } from '../../ui/use-order.ts';
import { partOf, type Part } from './checks.tsx';
import { EmptyMenus } from './empty-menus.tsx';
import classes from './line-menus.module.css';
import { useExportMenu, useMakeMenu, useMenus, useMovedMenus, useRemoveMenu } from './line-menus.queries.ts';
import { MenuSince, MenuState, MenuTrouble } from './menu-state.tsx';
import { defaultNow, isOnLine, stateOf } from './state.ts';
import { Thumbnail } from './thumbnail.tsx';
import { usePublishing, withNeeders } from './use-publishing.tsx';
import { isForNobody, isForSomebody, useWho } from './who.tsx';

const CreateDialog = later(async () => (await import('./create-dialog.tsx')).CreateDialog);
const OnLineDialog = later(async () => (await import('./on-line-dialog.tsx')).OnLineDialog);
const StatisticsDialog = later(async () => (await import('./statistics-dialog.tsx')).StatisticsDialog);

/** Until an order that somebody makes is sent. */
const settledMs = 600;

interface Props {
  channel: { uuid: string; name: string };
}

/** The rich menus of a channel, in the order in which they count. */
export function MenuList({ channel }: Props) {
  const { t } = useTranslation('line-menus');
  const navigate = useNavigate();
  const menus = useMenus(channel.uuid);
  const move = useMovedMenus(channel.uuid);
  const [ordered, setOrdered] = useState<RichMenu[]>();
  const [isCreating, setIsCreating] = useState(false);
  const [isLineOpen, setIsLineOpen] = useState(false);
  const [measured, setMeasured] = useState<RichMenu>();
  const rows = ordered ?? menus.data ?? [];
  const live = rows.filter(isOnLine);
  const drafts = rows.filter((menu) => !isOnLine(menu));
  const send = useEffectEvent((order: RichMenu[]) =>
    move.mutate(order, {
      onError: (error) => toast.error(errorText(error)),
      onSettled: () => setOrdered((now) => (now === order ? undefined : now)),
    }),
  );
  const unsent = useRef<RichMenu[]>(undefined);
  useEffect(() => {
    if (!ordered) return undefined;
    unsent.current = ordered;
    const timer = setTimeout(() => {
      unsent.current = undefined;
      send(ordered);
    }, settledMs);
    return () => clearTimeout(timer);
  }, [ordered]);
  const leave = useEffectEvent(() => {
    if (unsent.current) send(unsent.current);
  });
  useEffect(() => () => leave(), []);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)} {...CreateDialog.reach}>
      {t('list.new')}
    </Button>
  );
  const onLine = (where: Pick<ButtonProps, 'visibleFrom' | 'hiddenFrom' | 'mt'> = {}) => (
    <Button
      variant="default"
      {...where}
      leftSection={<IconCloudSearch size={16} />}
      onClick={() => setIsLineOpen(true)}
      {...OnLineDialog.reach}
    >
      {t('list.onLine')}
    </Button>
  );
  const open = ({ uuid }: { uuid: string }) =>
    void navigate({ to: '/Line-Channel/$id/Rich-Menu/$menu', params: { id: channel.uuid, menu: uuid } });
  const acts = { onMade: open, onStatistics: setMeasured };
  const isEmpty = menus.data?.length === 0;
  const shownNow = defaultNow(rows);
  // What is a draft is seen by nobody, and so is what only a tab leads to where a menu is looked for.
  const counted = rows.filter((menu) => isOnLine(menu) && isForSomebody(menu));
  return (
    <div>
      {menus.data && !isEmpty && (
        <div className={classes['head']}>
          <p>
            {!shownNow && t('list.nobodyNow')}
            {shownNow && (counted.length > 1 ? <Explained name={shownNow.menu.name} /> : t('list.where'))}
            {!shownNow && counted.length > 1 && <small>{t('list.about')}</small>}
          </p>
          {onLine({ visibleFrom: 'sm' })}
          {create}
        </div>
      )}
      <PagedList
        query={{
          ...menus,
          data: menus.data && rows,
          hasNextPage: false,
          isFetchingNextPage: false,
          fetchNextPage: menus.refetch,
        }}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          <EmptyMenus
            channel={channel.name}
            action={
              <div className={classes['buttons']}>
                {create}
                {onLine()}
              </div>
            }
          />
        }
      >
        {() => (
          <>
            {live.length > 0 && (
              <Section title={t('list.groups.live')} count={formatNumber(live.length)}>
                <LiveRows live={live} menus={rows} onOrder={(next) => setOrdered([...next, ...drafts])} {...acts} />
              </Section>
            )}
            {drafts.length > 0 && (
              <Section title={t('list.groups.drafts')} count={formatNumber(drafts.length)}>
                <div role="list" aria-label={t('list.groups.drafts')} className={classes['rows']}>
                  {drafts.map((menu) => (
                    <Row key={menu.uuid} menu={menu} menus={rows} {...acts} />
                  ))}
                </div>
              </Section>
            )}
            {onLine({ hiddenFrom: 'sm', mt: 'md' })}
          </>
        )}
      </PagedList>
      {isCreating && (
        <CreateDialog
          channel={channel.uuid}
          onMade={open}
          onClose={() => setIsCreating(false)}
          onFail={() => setIsCreating(false)}
        />
      )}
      {isLineOpen && (
        <OnLineDialog channel={channel.uuid} onClose={() => setIsLineOpen(false)} onFail={() => setIsLineOpen(false)} />
      )}
      {measured && (
        <StatisticsDialog
          menu={measured}
          onClose={() => setMeasured(undefined)}
          onFail={() => setMeasured(undefined)}
        />
      )}
    </div>
  );
}

interface Acts {
  onMade(menu: RichMenu): void;
  onStatistics(menu: RichMenu): void;
}

interface LiveRowsProps extends Acts {
  live: RichMenu[];
  menus: RichMenu[];
  onOrder(next: RichMenu[]): void;
}

/** In the order in which they count: the first that is for somebody is what they see. */
function LiveRows({ live, menus, onOrder, ...acts }: LiveRowsProps) {
  const { t } = useTranslation('line-menus');
  const movable = live.filter((menu) => !isFallback(menu));
  const fallback = live.filter(isFallback);
  const counted = [...movable, ...fallback].filter(isForSomebody);
  const { list, told, handle } = useOrder(movable, {
    onChange: (next) => onOrder([...next, ...fallback]),
    moved: (place) => t('list.moved', { name: movable[place - 1]?.menu.name, place }),
  });
  return (
    <>
      <div ref={list} role="list" aria-label={t('list.groups.live')} className={classes['rows']}>
        {[...movable, ...fallback].map((menu, at) => (
          <Row key={menu.uuid} menu={menu} menus={menus} {...acts}>
            {(counted.length > 1 || movable.length > 1) && (
              <span className={classes['place']}>
                {counted.length > 1 && <small>{counted.indexOf(menu) + 1 || null}</small>}
                {movable.length > 1 &&
                  (isFallback(menu) ? (
                    <span className={classes['handle']} data-empty />
                  ) : (
                    <button
                      type="button"
                      className={classes['handle']}
                      aria-label={t('list.move', { name: menu.menu.name })}
                      {...handle(at)}
                    >
                      <IconGripVertical size={16} aria-hidden />
                    </button>
                  ))}
              </span>
            )}
          </Row>
        ))}
      </div>
      <span role="status" className={classes['told']}>
        {told}
      </span>
    </>
  );
}

/** Who sees which of them. The name stays whole where a line breaks. */
function Explained({ name }: { name: string }) {
  const { t } = useTranslation('line-menus');
  const mark = '\n';
  const [before, after] = t('list.now', { name: mark }).split(mark);
  return (
    <>
      {before}
      <span>{t('list.named', { name })}</span>
      {after}
    </>
  );
}

/** At any time for everyone who has no other, and for nobody by name: its place does not count. */
const isFallback = ({ default: isDefault, tags, people, from, to }: RichMenu) =>
  isDefault && tags.length + people.length === 0 && from === null && to === null;

/** Where to go on: a menu without anything is begun with a look, which stands where areas are edited and brings both. */
const firstOf = (parts: Part[]): Part | undefined => (parts.includes('areas') ? 'areas' : parts[0]);

interface RowProps extends Acts {
  menu: RichMenu;
  menus: RichMenu[];
  /** Where it comes among the others, and what moves it. */
  children?: ReactNode;
}

function Row({ menu, menus, onMade, onStatistics, children }: RowProps) {
  const { t } = useTranslation('line-menus');
  const { who, when } = useWho();
  const time = when(menu);
  const [asked, setAsked] = useState<'delete' | 'off' | 'nobody'>();
  const { publish, takeOff, isBusy, left } = usePublishing(menu.channel, menus);
  const make = useMakeMenu(menu.channel);
  const remove = useRemoveMenu(menu.channel);
  const exported = useExportMenu();
  const { uuid, channel } = menu;
  const { name, size } = menu.menu;
  const faults = menu.problems.filter(({ level }) => level === 'error');
  const parts = (['picture', 'areas', 'settings'] as const).filter((part) =>
    faults.some((fault) => partOf(fault) === part),
  );
  const isUnseen = isForNobody(menu, menus);
  const needed = [...parts, ...(isUnseen ? (['audience'] as const) : [])].map((part) => t(`list.parts.${part}`));
  const missing = needed.length > 0 && t('list.left', { parts: formatList(needed) });
  const along = withNeeders(menu, menus).slice(1);
  const fail = (error: unknown) => toast.error(errorText(error));
  const icon = { size: 16, stroke: 1.75 };
  const isChanged = menu.published?.changed ?? true;
  const canPublish = faults.length === 0 && (isChanged || menu.state === 'failed') && menu.state !== 'publishing';
  const close = () => setAsked(undefined);
  const confirmed = {
    delete: () =>
      remove.mutate(uuid, {
        onSuccess: () => toast.success(t('deleted', { name })),
        onError: fail,
        onSettled: close,
      }),
    off: () => takeOff(menu, close),
    nobody: () => {
      publish(menu);
      close();
    },
  };
  // What nobody would see looks published, and is on no phone.
  const begin = () => (isUnseen ? setAsked('nobody') : publish(menu));
  const editor = { to: '/Line-Channel/$id/Rich-Menu/$menu' as const, params: { id: channel, menu: uuid } };
  const next = firstOf(parts) ?? (isUnseen ? 'settings' : undefined);
  return (
    <div role="listitem" className={classes['row']} data-draft={!isOnLine(menu) || undefined}>
      {children}
      <div className={classes['rowBody']}>
        <span className={classes['pictureOf']}>
          {menu.image ? (
            <Thumbnail menu={menu} />
          ) : (
            <small style={{ aspectRatio: `${size.width} / ${size.height}` }}>
              <IconPhoto size={14} aria-hidden />
              <span>{t('list.noPicture')}</span>
            </small>
          )}
        </span>
        <span className={classes['words']}>
          <b>
            <Link {...editor} {...(next && { search: { part: next }, title: t('list.continue') })}>
              {name}
            </Link>
          </b>
          {(!isUnseen || isOnLine(menu)) && (
            <span>
              <IconUsers size={13} aria-hidden />
              {who(menu, menus)}
            </span>
          )}
          {time && (
            <span data-when>
              <IconClock size={13} aria-hidden />
              {time}
            </span>
          )}
        </span>
        <span className={classes['words']}>
          {stateOf(menu).kind === 'live' ? (
            <>
              <State kind="live">
                <MenuSince menu={menu} />
              </State>
              {missing && <small>{missing}</small>}
            </>
          ) : isOnLine(menu) || menu.state === 'failed' ? (
            <>
              <MenuState menu={menu} />
              <small>
                <MenuSince menu={menu} />
              </small>
              {missing && <small>{missing}</small>}
            </>
          ) : (
            <State kind="draft">{missing || t('list.ready')}</State>
          )}
          <small data-trouble>
            <MenuTrouble menu={menu} />
          </small>
        </span>
      </div>
      <div className={classes['rowEnd']}>
        {menu.published && (
          <Button
            variant="default"
            size="xs"
            visibleFrom="sm"
            leftSection={<IconChartBar size={14} aria-hidden />}
            onClick={() => onStatistics(menu)}
            {...StatisticsDialog.reach}
          >
            {t('menu.statistics')}
          </Button>
        )}
        {menu.state === 'publishing' ? null : faults.length > 0 ? (
          <Button
            variant="default"
            size="xs"
            visibleFrom="sm"
            aria-label={t('list.continueNamed', { name })}
            renderRoot={(props) => <Link {...props} {...editor} search={{ part: next }} />}
          >
            {t('list.continue')}
          </Button>
        ) : isUnseen ? (
          <Button
            variant="default"
            size="xs"
            visibleFrom="sm"
            renderRoot={(props) => <Link {...props} {...editor} search={{ part: next }} />}
          >
            {t('list.choose')}
          </Button>
        ) : (
          <Next menu={menu} canPublish={canPublish} isBusy={isBusy} onPublish={begin} />
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('common:menuOf', { name })}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              component={Link}
              to={`/Line-Channel/${channel}/Rich-Menu/${uuid}${next ? `?part=${next}` : ''}`}
              leftSection={<IconPencil {...icon} />}
            >
              {t('menu.edit')}
            </Menu.Item>
            {menu.published && (
              <Menu.Item hiddenFrom="sm" leftSection={<IconChartBar {...icon} />} onClick={() => onStatistics(menu)}>
                {t('menu.statistics')}
              </Menu.Item>
            )}
            {canPublish && (!isUnseen || isOnLine(menu)) && (
              <Menu.Item leftSection={<IconCloudUpload {...icon} />} onClick={begin}>
                {t('menu.publish')}
              </Menu.Item>
            )}
            <Menu.Item
              component={Link}
              to={`/Line-Channel/${channel}/Rich-Menu/${uuid}?part=settings`}
              leftSection={<IconUsers {...icon} />}
            >
              {t(isUnseen ? 'menu.audienceFirst' : 'menu.audience')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconCopy {...icon} />}
              onClick={() =>
                make.mutate({ kind: 'copy', uuid, name: t('copyOf', { name }) }, { onSuccess: onMade, onError: fail })
              }
            >
              {t('menu.copy')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconDownload {...icon} />}
              onClick={() =>
                exported.mutate(uuid, {
                  onSuccess: (bytes) => saveFile(bytes, { name: `${name}.json`, type: 'application/json' }),
                  onError: fail,
                })
              }
            >
              {t('menu.export')}
            </Menu.Item>
            <Menu.Divider />
            {isOnLine(menu) && (
              <Menu.Item leftSection={<IconCloudOff {...icon} />} onClick={() => setAsked('off')}>
                {t('menu.takeOff')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconTrash {...icon} />} color="red" onClick={() => setAsked('delete')}>
              {t('menu.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {left}
      <ConfirmDialog
        opened={asked !== undefined}
        title={t(`ask.${asked ?? 'off'}.title`, { name })}
        text={
          asked === 'off' && along.length > 0
            ? t('ask.off.together', {
                others: formatList(along.map((each) => t('list.named', { name: each.menu.name }))),
              })
            : t(`ask.${asked ?? 'off'}.text`)
        }
        confirm={t(asked === 'delete' ? 'menu.delete' : asked === 'nobody' ? 'menu.publish' : 'menu.takeOff')}
        isHarmless={asked === 'nobody'}
        cancel={t('common:cancel')}
        loading={remove.isPending || isBusy}
        onConfirm={() => asked && confirmed[asked]()}
        onClose={close}
      />
    </div>
  );
}

interface NextProps {
  menu: RichMenu;
  canPublish: boolean;
  isBusy: boolean;
  onPublish(): void;
}

/** What is ready is published; what friends see already is changed. */
function Next({ menu, canPublish, isBusy, onPublish }: NextProps) {
  const { t } = useTranslation('line-menus');
  if (canPublish)
    return (
      <Button variant="default" size="xs" loading={isBusy} onClick={onPublish}>
        {t(menu.published ? 'list.publishAgain' : 'list.publish')}
      </Button>
    );
  return (
    <Button
      variant="default"
      size="xs"
      visibleFrom="sm"
      aria-label={t('list.editNamed', { name: menu.menu.name })}
      renderRoot={(props) => (
        <Link {...props} to="/Line-Channel/$id/Rich-Menu/$menu" params={{ id: menu.channel, menu: menu.uuid }} />
      )}
    >
      {t('menu.edit')}
    </Button>
  );
}
