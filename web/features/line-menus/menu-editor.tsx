import { Button, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDeviceMobile, IconListCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuDesign } from '../../../shared/menu-design.ts';
import { areaLetters } from '../../../shared/menu-layout.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Drawer } from '../../ui/overlays.tsx';
import { Page, State } from '../../ui/page.tsx';
import bar from '../../ui/part-tabs.module.css';
import { useOpenTab } from '../../ui/use-open-tab.ts';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { AreasPart } from './areas-part.tsx';
import { countLines, isExample, partOf, parts, type Part, type Problem } from './checks.tsx';
import { draftOf, labelsOf, namesOf, tabRowOf, withLabels, type Draft, type Kept, type Sample } from './draft.ts';
import { LeftList } from './left-list.tsx';
import classes from './line-menus.module.css';
import { useSaveMenu, type MenuChanges } from './line-menus.queries.ts';
import { MenuState, MenuTrouble, useShortState } from './menu-state.tsx';
import { NothingToPublish } from './nothing-to-publish.tsx';
import { Preview } from './preview.tsx';
import { useRules } from './rules.ts';
import { isOnLine } from './state.ts';
import { TabLinks } from './tab-links.tsx';
import { useHistory } from './use-history.ts';
import { usePicture } from './use-picture.ts';
import { isUnfinished, usePublishing, withTabs } from './use-publishing.tsx';
import { useSample } from './use-sample.ts';
import { isForNobody } from './who.tsx';

const PicturePart = later(async () => (await import('./picture-part.tsx')).PicturePart);
const StartPart = later(async () => (await import('./start-part.tsx')).StartPart);
const SettingsPart = later(async () => (await import('./settings-part.tsx')).SettingsPart);

interface Props {
  channel: { uuid: string; name: string };
  menu: RichMenu;
  menus: RichMenu[];
  design: MenuDesign | null;
  part: string | undefined;
  /** The letter of an area in which something is to be mended. */
  area: string | undefined;
  onPart(part: string | undefined): void;
}

export function MenuEditor({ channel, menu, menus, design, part, area, onPart }: Props) {
  const { t } = useTranslation('line-menus');
  const open: Part = parts.find((each) => each === part) ?? 'areas';
  const list = useOpenTab(open);
  const saved = draftOf(menu, design);
  const { values: draft, changes, set, discard, onSaved } = useEdited<Draft>(saved);
  /** What was saved when the first of these changes was made. */
  const [begun, setBegun] = useState<{ saved: Draft; seen: string | undefined }>();
  const [kept, setKept] = useState<Kept>({ design, upload: null });
  const [selected, setSelected] = useState<number | undefined>(() => firstArea(menu, area));
  const [isTold, setIsTold] = useState(area !== undefined);
  /** What was only begun in the settings goes with what is discarded. */
  const [discards, setDiscards] = useState(0);
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const [isLeftOpen, setIsLeftOpen] = useState(false);
  const [isDrawing, setIsDrawing] = useState(false);
  /** Whoever was led to an area, or wants those first, chooses the look later. */
  const [isAreasFirst, setIsAreasFirst] = useState(area !== undefined);
  /** A picture that was chosen and has still to be cut. */
  const [cropped, setCropped] = useState<ImageBitmap>();
  const save = useSaveMenu(menu);
  const history = useHistory(draft, (next) => {
    save.reset();
    setBegun((at) => at ?? { saved, seen: menu.updatedAt });
    setKept((before) => ({ design: next.design ?? before.design, upload: next.upload ?? before.upload }));
    set(next);
  });
  useUndoKeys(history);
  const guard = useUnsavedGuard(changes > 0);
  const sample = useSample();
  const picture = usePicture(withLabels(draft, sample), menu);
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) ?? false;
  const state = useShortState(menu);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const rules = useRules();
  /** As it will be once this is saved. */
  const now: RichMenu = { ...menu, ...draft, menu: draft.menu, default: draft.isDefault };
  const all = menus.map((each) => (each.uuid === menu.uuid ? now : each));
  // Until they are here, what the server has said.
  const problems: Problem[] = [
    ...(rules
      ? [
          ...rules.checkMenu(draft.menu, (uuid) => menus.some((each) => each.uuid === uuid)),
          ...pictureProblems(draft, menu),
        ]
      : menu.problems),
    // Whoever has published them has taken them for their own, until something is changed.
    ...(draft.design && !(isOnLine(menu) && changes === 0)
      ? labelsOf(draft, sample).flatMap(({ from }, at): Problem[] =>
          from === 'sample' ? [{ code: 'sample', level: 'warning', area: at }] : [],
        )
      : []),
    ...(isForNobody(now, all) ? [{ code: 'nobody', level: 'warning' } as const] : []),
  ];
  const names = namesOf(draft, sample);
  const isPictureless = !draft.design && !draft.upload && menu.image === null;
  const isStart = isPictureless && open === 'areas' && !isAreasFirst;
  const goTo = (next: Part) => onPart(next === 'areas' ? undefined : next);
  const mend = (problem: Problem) => {
    setIsLeftOpen(false);
    if (problem.area !== undefined) setSelected(problem.area);
    if (isPictureless) setIsAreasFirst(true);
    goTo(partOf(problem));
    setIsTold(true);
    // An example has no label to write before a tap does something.
    if (isExample(problem) && draft.menu.areas[problem.area ?? -1]?.action) goToExample();
    else goToFaultIn(document);
  };
  const chosen = useRef<File>(undefined);
  const crop = async (file: File) => {
    chosen.current = file;
    try {
      const picture = await createImageBitmap(file);
      // Another may have been chosen while this one was being read.
      if (chosen.current !== file) return;
      setCropped(picture);
      goTo('picture');
    } catch {
      toast.error(t('picture.unreadable'));
    }
  };
  useArrival(area);
  const {
    publish,
    isBusy,
    left: leftDialog,
  } = usePublishing(channel.uuid, menus, ({ uuid }, problem) => {
    if (uuid === menu.uuid) mend(problem);
    return uuid === menu.uuid;
  });

  const submit = async (andPublish = false) => {
    setIsDrawing(true);
    try {
      const sent = await changesOf(begun?.saved ?? saved, draft, menu, sample);
      const made = await save.mutateAsync({
        ...sent,
        body: { ...sent.body, seen: begun ? begun.seen : menu.updatedAt },
      });
      onSaved(draft);
      // What was uploaded has no way back to before.
      if (draft.upload) history.forget();
      setBegun(undefined);
      setIsTold(false);
      if (andPublish) publish(made);
      else toast.success(t('editor.saved'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Saved again, it takes the place of what somebody else has saved.
      if (error.code === 'conflict') setBegun((at) => at && { ...at, seen: undefined });
      else {
        if (Object.keys(error.fields).some((path) => path === 'menu.name')) goTo('settings');
        goToFaultIn(document);
      }
    } finally {
      setIsDrawing(false);
    }
  };
  // Of what was drawn before its picture was there, the picture comes with what is saved next.
  const isDirty = changes > 0 || (draft.design !== null && menu.image === null);
  const canPublish =
    menu.state !== 'publishing' && (isDirty || menu.state === 'failed' || (menu.published?.changed ?? true));
  const waiting = withTabs(now, all).slice(1).filter(isUnfinished);
  const left = problems.filter(({ level }) => level === 'error').length + waiting.length;
  /** LINE has it as it is here. */
  const isSettled = !canPublish && menu.state !== 'publishing';
  const checks = t(isSettled ? 'editor.settledChecks' : 'editor.checks');
  const lines = countLines(problems) + waiting.length;
  const publishText = t(changes > 0 && isWide ? 'editor.saveAndPublish' : 'editor.publish');
  const preview = <Preview channel={channel.name} menu={menu} draft={draft.menu} picture={picture} menus={menus} />;
  const leftList = (
    <LeftList
      problems={problems}
      letters={areaLetters(draft.menu.areas)}
      names={names}
      waiting={waiting}
      hasHeading={isWide}
      isSettled={isSettled}
      onMend={mend}
    />
  );
  const beside = isWide ? (
    <aside className={classes['below']} aria-label={t('preview.label')}>
      {preview}
    </aside>
  ) : undefined;
  const shared = { draft, history, menu, left: isWide ? leftList : undefined, preview: beside };
  const name = draft.menu.name || menu.menu.name;

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
      title={isPhone ? t('editor.inField', { field: name, problem: state.text }) : name}
      heading={
        isPhone ? (
          <span className={classes['titled']}>
            <span>{name}</span>
            <State kind={state.kind}>{state.text}</State>
          </span>
        ) : undefined
      }
      facts={<MenuState menu={menu} />}
      actions={
        !isStart && (
          <>
            {!isWide && lines > 0 && (
              <Button
                variant="default"
                px={10}
                aria-label={left > 0 ? t('editor.left', { count: left }) : `${checks} ${lines}`}
                leftSection={<IconListCheck size={16} />}
                onClick={() => setIsLeftOpen(true)}
              >
                {left || lines}
              </Button>
            )}
            {!isWide && (
              <Button variant="default" px={10} aria-label={t('preview.button')} onClick={() => setIsPreviewOpen(true)}>
                <IconDeviceMobile size={16} />
              </Button>
            )}
            {isSettled ? (
              <NothingToPublish isWide={isWide}>{publishText}</NothingToPublish>
            ) : (
              <Button
                variant={changes > 0 || left > 0 ? 'default' : 'filled'}
                disabled={!canPublish}
                rightSection={
                  left > 0 && <span className={classes['told']}> ({t('editor.left', { count: left })})</span>
                }
                loading={isBusy || isDrawing}
                onClick={() => (isDirty ? void submit(true) : publish(menu))}
              >
                {publishText}
              </Button>
            )}
          </>
        )
      }
    >
      <div className={classes['editor']} data-fills-window={isWide || undefined}>
        <Tabs
          value={open}
          onChange={(next) => goTo(parts.find((each) => each === next) ?? 'areas')}
          keepMounted={false}
        >
          {!isStart && (
            <Tabs.List ref={list} className={bar['bar'] ?? ''}>
              {parts.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {t(`editor.parts.${each}`)}
                  {problems.some((problem) => partOf(problem) === each) && <i aria-hidden />}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          )}
          <div className={classes['form']}>
            <TabLinks menu={menu} draft={draft.menu} menus={menus} />
            {menu.state !== 'live' && menu.state !== 'draft' && menu.state !== 'publishing' && (
              <p className={classes['trouble']} role="status">
                <MenuTrouble menu={menu} />
              </p>
            )}
            {isStart && (
              <StartPart
                channel={channel.name}
                draft={draft}
                menu={menu}
                menus={menus}
                sample={sample}
                isWide={isWide}
                onLook={(next) => {
                  history.change(next);
                  setSelected(firstArea(next, undefined));
                }}
                onUpload={(file) => void crop(file)}
                onBlank={() => setIsAreasFirst(true)}
                onFail={() => setIsAreasFirst(true)}
              />
            )}
            {!isStart && (
              <Tabs.Panel value={open}>
                {open === 'areas' && (
                  <AreasPart
                    {...shared}
                    picture={picture}
                    names={names}
                    sample={sample}
                    menus={menus}
                    selected={selected !== undefined && selected < draft.menu.areas.length ? selected : undefined}
                    onSelect={(at) => {
                      setSelected(at);
                      // Only who was led to it is told what it lacks.
                      setIsTold(false);
                    }}
                    isTold={isTold}
                    onPicture={isPictureless ? () => setIsAreasFirst(false) : undefined}
                  />
                )}
                {open === 'picture' && (
                  <PicturePart
                    {...shared}
                    picture={picture}
                    selected={selected}
                    onSelect={setSelected}
                    sample={sample}
                    kept={kept}
                    onKeep={setKept}
                    cropped={cropped}
                    onCropped={() => setCropped(undefined)}
                    onChoose={(file) => void crop(file)}
                    hasSavedUpload={menu.image !== null && design === null}
                    onFail={() => goTo('areas')}
                  />
                )}
                {open === 'settings' && (
                  <SettingsPart
                    key={discards}
                    {...shared}
                    now={now}
                    menus={all}
                    isTold={isTold}
                    fieldError={(path) => fields[path]}
                    onFail={() => goTo('areas')}
                  />
                )}
              </Tabs.Panel>
            )}
            <div className={classes['foot']}>
              <SaveBar
                changes={changes}
                isBusy={save.isPending || isDrawing}
                error={
                  save.error
                    ? save.error instanceof ApiError && save.error.code === 'conflict'
                      ? t('editor.conflict')
                      : (Object.values(fields)[0] ?? errorText(save.error))
                    : undefined
                }
                onDiscard={() => {
                  save.reset();
                  setBegun(undefined);
                  setIsTold(false);
                  setDiscards(discards + 1);
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
      {!isWide && (
        <Drawer
          opened={isLeftOpen}
          onClose={() => setIsLeftOpen(false)}
          position="bottom"
          // Only as high as what stands in it.
          styles={{ content: { height: 'auto' } }}
          title={checks}
        >
          {leftList}
        </Drawer>
      )}
      {leftDialog}
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

/** The one of that letter, or else the first that is no tab: those are complete. */
function firstArea({ menu }: Pick<RichMenu, 'menu'>, letter: string | undefined): number {
  const at = areaLetters(menu.areas).indexOf(letter ?? '');
  return at < 0 ? tabRowOf(menu).row.length : at;
}

/** Who was led to an area stands at what is wrong there. */
function useArrival(area: string | undefined): void {
  const rules = useRules();
  useEffect(() => {
    if (area !== undefined && rules) goToFaultIn(document);
  }, [area, rules]);
}

/** React has drawn by then the area whose label is to be written. */
const drawnMs = 50;

/** What is written takes the place of the example. */
const goToExample = () =>
  void setTimeout(() => {
    const label = document.querySelector<HTMLInputElement>('input[data-example]');
    label?.focus();
    label?.select();
  }, drawnMs);

/** What is to be said of the picture that it will have. */
function pictureProblems({ menu: draft, design, upload }: Draft, { image }: RichMenu): Problem[] {
  if (design || upload) return [];
  if (image === null) return [{ code: 'line-menu-image', level: 'error' }];
  return image.width === draft.size.width && image.height === draft.size.height
    ? []
    : [{ code: 'line-menu-image-size', level: 'error' }];
}

/** What has to be sent so that `from` becomes `to`, with a new picture where it looks different. */
async function changesOf(from: Draft, to: Draft, { image }: RichMenu, sample: Sample): Promise<MenuChanges> {
  const drawn = withLabels(to, sample);
  const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const looksOf = ({ design, menu: { size, areas } }: Draft) => [design, size, areas.map(({ bounds }) => bounds)];
  const isDrawn = to.design !== null && (image === null || isOther(looksOf(withLabels(from, sample)), looksOf(drawn)));
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
    picture: isDrawn ? await (await import('./draw-design.ts')).renderDraft(drawn) : to.upload?.file,
  };
}
