import { Button, Popover } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronDown,
  IconChevronRight,
  IconPhoto,
  IconShape,
  IconX,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import { shownType } from '../../../shared/line-uri.ts';
import { areaLetters, menuLayoutNames, type Bounds } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/page.tsx';
import { AreaFields } from './area-fields.tsx';
import { Canvas } from './canvas.tsx';
import {
  addArea,
  copyArea,
  labelsOf,
  layoutOf,
  ratioOf,
  removeArea,
  tabRowOf,
  withArea,
  withExamples,
  withLayout,
  type Draft,
  type Sample,
} from './draft.ts';
import { ActionIcon } from './action-icon.tsx';
import { fitArea } from './geometry.ts';
import { LayoutTile } from './layout-tile.tsx';
import classes from './line-menus.module.css';
import { faultsOf } from './rules.ts';
import { detailOf } from './state.ts';
import type { useHistory } from './use-history.ts';

const maxAreas = 20;
const farStep = 10;

interface Props {
  draft: Draft;
  history: ReturnType<typeof useHistory<Draft>>;
  picture: CanvasImageSource | undefined;
  /** What each area is called. */
  names: string[];
  sample: Sample;
  menu: RichMenu;
  menus: RichMenu[];
  selected: number | undefined;
  onSelect(area: number | undefined): void;
  isTold: boolean;
  /** What is left to do and how it looks on a phone, where there is room. */
  left: ReactNode;
  preview: ReactNode;
  /** Of one that has no picture: leads to where it gets one. */
  onPicture: (() => void) | undefined;
}

export function AreasPart(props: Props) {
  const { draft, history, picture, names, sample, menu, menus, selected, onSelect, isTold, left, preview } = props;
  const { onPicture } = props;
  const { t } = useTranslation('line-menus');
  const [isDrawing, setIsDrawing] = useState(false);
  const [isLayoutOpen, setIsLayoutOpen] = useState(false);
  const [told, setTold] = useState('');
  const [isPlaceOpen, setIsPlaceOpen] = useState(false);
  const { size, areas } = draft.menu;
  const letters = areaLetters(areas);
  const isFull = areas.length >= maxAreas;
  const isTall = size.width / size.height < 2;
  const layouts = menuLayoutNames.filter((each) => each.startsWith(isTall ? 'large' : 'compact'));
  const layout = layoutOf(draft.menu, layouts);
  const others = menus.map(({ uuid, menu: { name } }) => ({
    uuid,
    name,
    isThis: uuid === menu.uuid,
  }));
  const isTabbed = tabRowOf(draft.menu).row.length > 0;
  const area = selected === undefined ? undefined : areas[selected];
  const nameOf = (uuid: string) => others.find((each) => each.uuid === uuid)?.name;
  const whatOf = (action: MenuAction) => {
    const detail = detailOf(action, nameOf);
    const type = shownType(action);
    if (detail)
      return type === 'message'
        ? t('area.says', { text: detail })
        : type === 'call'
          ? t('area.calls', { number: detail })
          : detail;
    return type === 'richmenuswitch' && isTabbed ? t('tabs.tab') : t(`area.types.${type}`);
  };

  const place = (at: number, bounds: Bounds, step?: string) => {
    history.change(withArea(draft, at, { bounds }), step);
    setTold(t('editor.moved', { letter: letters[at], ...bounds }));
  };
  const add = (bounds: Bounds) => {
    setIsDrawing(false);
    if (isFull) return;
    history.change(addArea(draft, bounds));
    onSelect(areas.length);
  };
  const copy = (at: number) => {
    if (isFull) return;
    history.change(copyArea(draft, at));
    onSelect(areas.length);
  };
  const remove = (at: number) => {
    history.change(removeArea(draft, at));
    onSelect(areas.length > 1 ? Math.min(at, areas.length - 2) : undefined);
  };
  const press = (event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'preventDefault'>) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === 'Escape') {
      setIsDrawing(false);
      onSelect(undefined);
    } else if (selected === undefined || !area) return;
    else if (arrow) {
      const [x = 0, y = 0] = arrow.map((part) => part * (event.shiftKey ? farStep : 1));
      place(
        selected,
        fitArea({ ...area.bounds, x: area.bounds.x + x, y: area.bounds.y + y }, size),
        `move ${selected}`,
      );
    } else if (event.key === 'Delete' || event.key === 'Backspace') remove(selected);
    else if (isCommand && event.key.toLowerCase() === 'd') copy(selected);
    else return;
    event.preventDefault();
  };

  return (
    <div className={classes['work']}>
      <div className={classes['main']} style={ratioOf(size)}>
        <div className={classes['toolbar']}>
          <Popover position="bottom-start" shadow="md" opened={isLayoutOpen} onChange={setIsLayoutOpen} trapFocus>
            <Popover.Target>
              <Button
                variant="default"
                leftSection={layout && <LayoutTile layout={layout} />}
                rightSection={<IconChevronDown size={14} aria-hidden />}
                onClick={() => setIsLayoutOpen(!isLayoutOpen)}
              >
                <span className={classes['wide']}>{t('editor.layout')}</span>
              </Button>
            </Popover.Target>
            <Popover.Dropdown aria-label={t('editor.layout')}>
              <div className={classes['tiles']}>
                {layouts.map((each) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={each === layout}
                    aria-label={t(`layout.${each}`)}
                    title={t(`layout.${each}`)}
                    onClick={() => {
                      const next = withLayout(draft, each);
                      history.change(next.design ? withExamples(next, sample) : next);
                      onSelect(undefined);
                      setIsLayoutOpen(false);
                    }}
                  >
                    <LayoutTile layout={each} />
                  </button>
                ))}
              </div>
            </Popover.Dropdown>
          </Popover>
          <Button
            variant={isDrawing ? 'light' : 'default'}
            aria-pressed={isDrawing}
            leftSection={isDrawing ? <IconX size={16} /> : <IconShape size={16} />}
            disabled={isFull}
            onClick={() => setIsDrawing(!isDrawing)}
          >
            {isDrawing ? t('common:cancel') : t('editor.draw')}
          </Button>
          {onPicture && (
            <Button leftSection={<IconPhoto size={16} />} onClick={onPicture}>
              {t('editor.addPicture')}
            </Button>
          )}
          {isFull && <span className={classes['hint']}>{t('editor.areasFull')}</span>}
          <span className={classes['grow']} />
          <IconButton label={t('editor.undo')} disabled={!history.undo} onClick={history.undo}>
            <IconArrowBackUp size={18} stroke={1.75} aria-hidden />
          </IconButton>
          <IconButton label={t('editor.redo')} disabled={!history.redo} onClick={history.redo}>
            <IconArrowForwardUp size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
        <div className={classes['stage']}>
          <Canvas
            size={size}
            areas={areas.map(({ bounds, action }, at) => ({
              bounds,
              letter: letters[at] ?? '',
              isFaulty: isTold && at === selected && (action === null || faultsOf(action).size > 0),
              isIdle: action === null,
            }))}
            selected={selected}
            picture={picture}
            isDrawing={isDrawing}
            isQuiet={false}
            onSelect={onSelect}
            onChange={(at, bounds) => place(at, bounds)}
            onDraw={add}
            onKey={press}
          />
        </div>
        <div className={classes['canvasHint']}>
          <p id="canvas-hint" className={classes['hint']}>
            {t(areas.length > 0 ? 'editor.canvasHint' : 'editor.noAreas')}
          </p>
          {areas.some(({ action }) => action === null) && <p data-idle>{t('editor.noAction')}</p>}
          <details data-pointer="fine">
            <summary>{t('editor.shortcuts')}</summary>
            <p>{t('editor.shortcutsHint')}</p>
          </details>
        </div>
        <span role="status" className={classes['told']}>
          {told}
        </span>
        {left}
        <div className={classes['list']} hidden={areas.length === 0}>
          <Section title={t('editor.areaList')} count={areas.length}>
            <ul className={classes['areas']}>
              {areas
                .map((each, at) => ({ each, at }))
                .toSorted((one, other) => (letters[one.at] ?? '').localeCompare(letters[other.at] ?? ''))
                .map(({ each, at }) => (
                  <li key={at}>
                    <button type="button" aria-pressed={at === selected} onClick={() => onSelect(at)} onKeyDown={press}>
                      <span className={classes['letter']} aria-hidden>
                        {letters[at]}
                      </span>
                      <span className={classes['told']}>{t('area.title', { letter: letters[at] })}</span>
                      <span className={classes['areaWords']}>
                        <b aria-hidden={!names[at]}>{names[at] || t('area.title', { letter: letters[at] })}</b>
                        {each.action && (
                          <span>
                            <ActionIcon type={shownType(each.action)} />
                            <span>{whatOf(each.action)}</span>
                          </span>
                        )}
                      </span>
                      {!each.action && (
                        <span data-idle>
                          <span className={classes['told']}>{t('area.nothing')}</span>
                        </span>
                      )}
                      <IconChevronRight size={16} aria-hidden />
                    </button>
                  </li>
                ))}
            </ul>
          </Section>
        </div>
      </div>
      <div className={classes['aside']}>
        <div className={classes['own']}>
          {area && selected !== undefined ? (
            <AreaFields
              key={selected}
              letter={letters[selected] ?? ''}
              name={names[selected]}
              area={area}
              size={size}
              others={others}
              isTold={isTold}
              isExample={draft.design !== null && labelsOf(draft, sample)[selected]?.from === 'sample'}
              isPlaceOpen={isPlaceOpen}
              onPlaceOpen={setIsPlaceOpen}
              onChange={(changes, step) => history.change(withArea(draft, selected, changes), `${step} ${selected}`)}
              onCopy={isFull ? undefined : () => copy(selected)}
              onRemove={() => remove(selected)}
            />
          ) : (
            <p className={classes['hint']}>{t('area.none')}</p>
          )}
        </div>
        {preview}
      </div>
    </div>
  );
}
