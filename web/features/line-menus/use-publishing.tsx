import { useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatList } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Problem } from './checks.tsx';
import { usePublish } from './line-menus.queries.ts';
import { isOnLine } from './state.ts';
import { exampleProblems } from './draft.ts';
import { useSample } from './use-sample.ts';

const LeftDialog = later(async () => (await import('./left-dialog.tsx')).LeftDialog);
const PagesDialog = later(async () => (await import('./pages-dialog.tsx')).PagesDialog);

/** A menu and those that its tabs lead to, whatever tabs those have. */
function pagesOf(menu: RichMenu, menus: RichMenu[]): RichMenu[] {
  const found = [menu];
  for (const { menu: draft } of found)
    for (const { action } of draft.areas) {
      const next = action?.type === 'richmenuswitch' && menus.find(({ uuid }) => uuid === action.menu);
      if (next && found.every(({ uuid }) => uuid !== next.uuid)) found.push(next);
    }
  return found;
}

/** Of these LINE has to get what it has not, together. What is there already stays as it is. */
export const withTabs = (menu: RichMenu, menus: RichMenu[]): RichMenu[] =>
  pagesOf(menu, menus).filter((each, at) => at === 0 || !each.published);

/** A menu and those on LINE whose tabs lead to it: LINE cannot be without it while it has them. */
export function withNeeders(menu: RichMenu, menus: RichMenu[]): RichMenu[] {
  const found = [menu];
  for (const { uuid } of found)
    for (const other of menus) {
      const leads = other.menu.areas.some(({ action }) => action?.type === 'richmenuswitch' && action.menu === uuid);
      if (leads && isOnLine(other) && found.every((each) => each.uuid !== other.uuid)) found.push(other);
    }
  return found;
}

/** What is missing, and of which menu where there are several. */
function faultOf(error: object, menus: RichMenu[]): string | undefined {
  const [path, message] = error instanceof ApiError ? (Object.entries(error.fields)[0] ?? []) : [];
  const name = menus[Number(path?.split('.')[1])]?.menu.name;
  return message && menus.length > 1 && name !== undefined ? `${name}: ${message}` : message;
}

export const isUnfinished = ({ problems }: RichMenu) => problems.some(({ level }) => level === 'error');

/** Publishing and taking off, which say what becomes of it, or in `left` all that is left to do. */
export function usePublishing(
  channel: string,
  menus: RichMenu[],
  onMend: (menu: RichMenu, problem: Problem) => boolean = () => false,
) {
  const { t } = useTranslation('line-menus');
  const publish = usePublish(channel);
  const sample = useSample();
  const [unfinished, setUnfinished] = useState<RichMenu[]>([]);
  const [pages, setPages] = useState<RichMenu[]>([]);
  const close = () => {
    setUnfinished([]);
    setPages([]);
  };
  const send = (menu: RichMenu) => {
    const all = withTabs(menu, menus);
    const others = all.slice(1).map((each) => each.menu.name);
    publish.mutate(
      { menus: all.map(({ uuid }) => uuid) },
      {
        onSuccess: () =>
          toast.success(
            others.length > 0
              ? t('publishedTogether', {
                  name: menu.menu.name,
                  others: formatList(others.map((name) => t('list.named', { name }))),
                })
              : t('published', { name: menu.menu.name }),
          ),
        onError: (error) => toast.error(faultOf(error, all) ?? errorText(error)),
        onSettled: close,
      },
    );
  };
  const [asked] = pages;
  return {
    left:
      unfinished.length > 0 ? (
        <LeftDialog menus={unfinished} onMend={onMend} onClose={close} onFail={close} />
      ) : (
        asked && (
          <PagesDialog
            pages={pages}
            isBusy={publish.isPending}
            onConfirm={() => send(asked)}
            onClose={close}
            onFail={close}
          />
        )
      ),
    isBusy: publish.isPending,
    publish(menu: RichMenu) {
      const left = withTabs(menu, menus)
        .map((each) => ({ ...each, problems: [...each.problems, ...exampleProblems(each, sample)] }))
        .filter(isUnfinished);
      if (left.length > 0) return setUnfinished(left);
      const all = pagesOf(
        menu,
        menus.map((each) => (each.uuid === menu.uuid ? menu : each)),
      );
      return all.length > 1 ? setPages(all) : send(menu);
    },
    takeOff(menu: RichMenu, onSettled: () => void) {
      publish.mutate(
        { menus: withNeeders(menu, menus).map(({ uuid }) => uuid), isOff: true },
        {
          onSuccess: () => toast.success(t('takenOff', { name: menu.menu.name })),
          onError: (error) => toast.error(errorText(error)),
          onSettled,
        },
      );
    },
  };
}
