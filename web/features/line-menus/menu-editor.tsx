import { Button, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDeviceMobile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuDesign } from '../../../shared/menu-design.ts';
import { areaLetters } from '../../../shared/menu-layout.ts';
import { ApiError } from '../../lib/api.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Drawer } from '../../ui/overlays.tsx';
import { Page } from '../../ui/page.tsx';
import bar from '../../ui/part-tabs.module.css';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { AreasPart, type Problem } from './areas-part.tsx';
import { draftOf, type Draft } from './draft.ts';
import classes from './line-menus.module.css';
import { useSaveMenu, type MenuChanges } from './line-menus.queries.ts';
import { MenuState, MenuTrouble } from './menu-state.tsx';
import { Preview } from './preview.tsx';
import { loadRules, useRules } from './rules.ts';
import { useHistory } from './use-history.ts';
import { usePicture } from './use-picture.ts';
import { usePublishing } from './use-publishing.ts';
import { isForNobody } from './who.tsx';

const PicturePart = later(async () => (await import('./picture-part.tsx')).PicturePart);
const SettingsPart = later(async () => (await import('./settings-part.tsx')).SettingsPart);

const parts = ['areas', 'picture', 'settings'] as const;
type Part = (typeof parts)[number];
const samples = ['reserve', 'menu', 'coupon', 'shop', 'access', 'contact'] as const;

interface Props {
  channel: { uuid: string; name: string };
  menu: RichMenu;
  menus: RichMenu[];
  design: MenuDesign | null;
  part: string | undefined;
  onPart(part: string | undefined): void;
}

export function MenuEditor({ channel, menu, menus, design, part, onPart }: Props) {
  const { t } = useTranslation('line-menus');
  const open: Part = parts.find((each) => each === part) ?? 'areas';
  const saved = draftOf(menu, design);
  const { values: draft, changes, set, discard, onSaved } = useEdited<Draft>(saved);
  /** What was saved when the first of these changes was made. */
  const [begun, setBegun] = useState<{ saved: Draft; seen: string | undefined }>();
  const [selected, setSelected] = useState<number | undefined>(0);
  const [isTold, setIsTold] = useState(false);
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const [isDrawing, setIsDrawing] = useState(false);
  const save = useSaveMenu(menu);
  const { publish, isBusy } = usePublishing(channel.uuid, menus);
  const history = useHistory(draft, (next) => {
    save.reset();
    setBegun((at) => at ?? { saved, seen: menu.updatedAt });
    set(next);
  });
  useUndoKeys(history);
  const guard = useUnsavedGuard(changes > 0);
  const picture = usePicture(draft, menu);
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const sample = (at: number) => t(`sample.${samples[at % samples.length] ?? 'menu'}`);
  const rules = useRules();
  // Until they are here, what the server has said.
  const problems: Problem[] = [
    ...(rules ? [...rules.checkMenu(draft.menu), ...pictureProblems(draft, menu)] : menu.problems),
    ...(isForNobody(menu, menus) ? [{ code: 'nobody', level: 'warning' } as const] : []),
  ];
  const faults = problems.filter(({ level }) => level === 'error');
  const letters = areaLetters(draft.menu.areas);
  const goTo = (next: Part) => onPart(next === 'areas' ? undefined : next);
  const mend = ({ code, area }: Problem) => {
    if (area !== undefined) setSelected(area);
    if (code.startsWith('line-menu-image')) goTo('picture');
    else goTo(area === undefined && code !== 'line-menu-empty' ? 'settings' : 'areas');
    setIsTold(true);
    goToFaultIn(document);
  };

  const submit = async (andPublish = false) => {
    const parsed = (await loadRules()).Menu.safeParse(draft.menu);
    if (!parsed.success) {
      const area = parsed.error.issues.map(({ path }) => path).find(([first]) => first === 'areas')?.[1];
      const isArea = typeof area === 'number';
      mend({ code: '', area: isArea ? area : undefined, level: 'error' });
      toast.error(isArea ? t('editor.unfinished', { letter: letters[area] }) : t('editor.unfinishedMenu'));
      return;
    }
    setIsDrawing(true);
    try {
      const sent = await changesOf(begun?.saved ?? saved, draft, menu);
      const now = await save.mutateAsync({
        ...sent,
        body: { ...sent.body, seen: begun ? begun.seen : menu.updatedAt },
      });
      onSaved(draft);
      // What was uploaded has no way back to before.
      if (draft.upload) history.forget();
      setBegun(undefined);
      setIsTold(false);
      if (andPublish) publish(now);
      else toast.success(t('editor.saved'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Saved again, it takes the place of what somebody else has saved.
      if (error.code === 'conflict') setBegun((at) => at && { ...at, seen: undefined });
      else goToFaultIn(document);
    } finally {
      setIsDrawing(false);
    }
  };
  const isDirty = changes > 0;
  const canPublish =
    faults.length === 0 &&
    menu.state !== 'publishing' &&
    (isDirty || menu.state === 'failed' || (menu.published?.changed ?? true));
  const preview = <Preview channel={channel.name} menu={menu} draft={draft.menu} picture={picture} menus={menus} />;
  const beside = isWide ? (
    <aside className={classes['below']} aria-label={t('preview.label')}>
      {preview}
    </aside>
  ) : undefined;
  const shared = { draft, history, menu, preview: beside };

  return (
    <Page
      width="full"
      above={
        <>
          <Link to="/Line-Channel/$id" params={{ id: channel.uuid }} search={{ tab: 'menus' }}>
            {channel.name}
          </Link>
          <span aria-hidden>/</span>
        </>
      }
      title={draft.menu.name || menu.menu.name}
      facts={<MenuState menu={menu} />}
      actions={
        <>
          {!isWide && (
            <Button
              variant="default"
              leftSection={<IconDeviceMobile size={16} />}
              onClick={() => setIsPreviewOpen(true)}
            >
              {t('preview.button')}
            </Button>
          )}
          <Button
            variant={isDirty ? 'default' : 'filled'}
            disabled={!canPublish}
            loading={isBusy || isDrawing}
            onClick={() => (isDirty ? void submit(true) : publish(menu))}
          >
            {t(isDirty ? 'editor.saveAndPublish' : 'editor.publish')}
          </Button>
        </>
      }
    >
      <div className={classes['editor']}>
        <Tabs
          value={open}
          onChange={(next) => goTo(parts.find((each) => each === next) ?? 'areas')}
          keepMounted={false}
        >
          <Tabs.List className={bar['bar'] ?? ''}>
            {parts.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`editor.parts.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <div className={classes['form']}>
            {menu.state !== 'live' && menu.state !== 'draft' && menu.state !== 'publishing' && (
              <p className={classes['trouble']} role="status">
                <MenuTrouble menu={menu} />
              </p>
            )}
            <Tabs.Panel value={open}>
              {open === 'areas' && (
                <AreasPart
                  {...shared}
                  picture={picture}
                  problems={problems}
                  menus={menus}
                  selected={selected !== undefined && selected < draft.menu.areas.length ? selected : undefined}
                  onSelect={setSelected}
                  isTold={isTold}
                  sample={sample}
                  onMend={mend}
                />
              )}
              {open === 'picture' && (
                <PicturePart
                  {...shared}
                  picture={picture}
                  selected={selected}
                  onSelect={setSelected}
                  sample={sample}
                  onFail={() => goTo('areas')}
                />
              )}
              {open === 'settings' && (
                <SettingsPart
                  {...shared}
                  isTold={isTold}
                  fieldError={(path) => fields[path]}
                  onFail={() => goTo('areas')}
                />
              )}
            </Tabs.Panel>
            <div className={classes['foot']}>
              <SaveBar
                changes={changes}
                isBusy={save.isPending || isDrawing}
                error={
                  save.error
                    ? save.error instanceof ApiError && save.error.code === 'conflict'
                      ? t('editor.conflict')
                      : (Object.values(fields)[0] ?? save.error.message)
                    : undefined
                }
                onDiscard={() => {
                  save.reset();
                  setBegun(undefined);
                  setIsTold(false);
                  history.forget();
                  discard();
                }}
                onSave={() => void submit()}
              />
            </div>
          </div>
        </Tabs>
      </div>
      {!isWide && (
        <Drawer
          opened={isPreviewOpen}
          onClose={() => setIsPreviewOpen(false)}
          position="bottom"
          size="92%"
          title={t('preview.label')}
        >
          {preview}
        </Drawer>
      )}
      <ConfirmDialog {...guard} />
    </Page>
  );
}

/** Ctrl Z and Shift Ctrl Z, except where text is written: a field takes back what was written itself. */
function useUndoKeys({ undo, redo }: Pick<ReturnType<typeof useHistory>, 'undo' | 'redo'>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isWriting = event.target instanceof Element && event.target.closest('input, textarea, [role="dialog"]');
    if (isWriting || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    (event.shiftKey ? redo : undo)?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** What is to be said of the picture that it will have. */
function pictureProblems({ menu: draft, design, upload }: Draft, { image }: RichMenu): Problem[] {
  if (design || upload) return [];
  if (image === null) return [{ code: 'line-menu-image', level: 'error' }];
  return image.width === draft.size.width && image.height === draft.size.height
    ? []
    : [{ code: 'line-menu-image-size', level: 'error' }];
}

/** What has to be sent so that `from` becomes `to`, with a new picture where it looks different. */
async function changesOf(from: Draft, to: Draft, { image }: RichMenu): Promise<MenuChanges> {
  const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const looksOf = ({ design, menu: { size, areas } }: Draft) => [design, size, areas.map(({ bounds }) => bounds)];
  const isDrawn = to.design !== null && (image === null || isOther(looksOf(from), looksOf(to)));
  return {
    body: {
      ...(isOther(from.menu, to.menu) && { menu: to.menu }),
      ...(isOther(from.design, to.design) && { design: to.design }),
      ...(isOther(from.tags, to.tags) && { tags: to.tags }),
      ...(isOther(from.people, to.people) && { people: to.people.map(({ uuid }) => uuid) }),
      ...(from.from !== to.from && { from: to.from }),
      ...(from.to !== to.to && { to: to.to }),
    },
    isDefault: from.isDefault === to.isDefault ? undefined : to.isDefault,
    picture: isDrawn ? await (await import('./draw-design.ts')).renderDraft(to) : to.upload?.file,
  };
}
