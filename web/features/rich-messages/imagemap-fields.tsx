import '@mantine/core/styles/NumberInput.css';
import { ActionIcon, Button, NumberInput, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Bounds } from '../../../shared/menu-layout.ts';
import { imagemapAreas, imagemapLayouts, imagemapWidth, maxAreas } from '../../../shared/rich-line.ts';
import { formatList } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import type { Undo } from '../../ui/use-undo.ts';
import { ActionFields } from './action-fields.tsx';
import { AreaCanvas } from './area-canvas.tsx';
import { isOver, letterOf, stretched, withOneMore } from './areas.ts';
import { emptyAction, isBlank, layoutAreas, type AreaEdit, type ImagemapEdit } from './draft.ts';
import { PictureField } from './picture-field.tsx';
import classes from './rich-messages.module.css';

const kinds = ['uri', 'message', 'clipboard'] as const;
const measures = ['x', 'y', 'width', 'height'] as const;

interface Props {
  edit: ImagemapEdit;
  onChange(edit: ImagemapEdit): void;
  undo: Undo;
  error(path: string): string | undefined;
  isWrong(area: number): boolean;
  /** What the server said of it. */
  fault: unknown;
}

export function ImagemapFields({ edit, onChange, undo, error, isWrong, fault }: Props) {
  const { t } = useTranslation('rich-messages');
  const [chosen, setSelected] = useState<number | undefined>(edit.areas.length > 0 ? 0 : undefined);
  const [isMore, setIsMore] = useState(window.innerWidth >= 768);
  const { picture, areas } = edit;
  // One that is discarded leaves the first.
  const selected = chosen !== undefined && chosen >= areas.length ? 0 : chosen;
  const latest = useRef({ edit, onChange });
  useEffect(() => {
    latest.current = { edit, onChange };
  });
  const set = (next: AreaEdit[]) => onChange({ ...edit, areas: next });
  /** Brings areas back into what is there by then. */
  const bringBack = (back: (now: AreaEdit[]) => AreaEdit[]) => () => {
    const { edit: now, onChange: change } = latest.current;
    change({ ...now, areas: back(now.areas) });
  };
  const remove = (at: number) => {
    const gone = areas[at];
    if (!gone) return;
    set(areas.toSpliced(at, 1));
    setSelected(areas.length > 1 ? Math.max(0, at - 1) : undefined);
    const back = () => {
      bringBack((now) => now.toSpliced(at, 0, gone))();
      setSelected(at);
    };
    undo.offer(t('areas.removed', { letter: letterOf(at) }), back);
  };
  const layout = picture ? layoutOf(areas, picture.height) : undefined;
  const layOut = (cells: Bounds[]) => {
    const dropped = areas.slice(cells.length).filter(({ action }) => !isBlank(action)).length;
    const isByHand = areas.length > 0 && layout === undefined;
    undo.withdraw();
    // What the first areas do, they do in another shape as well.
    set(cells.map((bounds, at) => ({ bounds, action: areas[at]?.action ?? { ...emptyAction } })));
    setSelected(0);
    const back = bringBack(() => areas);
    if (dropped > 0) undo.offer(t('areas.dropped', { count: dropped }), back, { untilChanged: true });
    else if (isByHand) undo.offer(t('areas.laidOut'), back, { untilChanged: true });
  };
  const canvas = useRef<HTMLDivElement>(null);
  /** The whole picture and what its chosen area does, as far as the screen has room for both. */
  const show = () => requestAnimationFrame(() => canvas.current?.scrollIntoView({ block: 'nearest' }));
  const add = ({ areas: next, split }: ReturnType<typeof withOneMore>) => {
    undo.withdraw();
    set(next);
    const back = bringBack(() => areas);
    if (split !== undefined) undo.offer(t('areas.split', { letter: letterOf(split) }), back, { untilChanged: true });
    setSelected(areas.length);
    requestAnimationFrame(() => {
      // The keys that move it are for what has the focus.
      canvas.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus({ preventScroll: true });
      show();
    });
  };
  const wrong = new Set(areas.flatMap((_, at) => (isWrong(at) ? [at] : [])));
  const [heard, setHeard] = useState(fault);
  if (fault !== heard) {
    setHeard(fault);
    const [first] = wrong;
    if (first !== undefined && (selected === undefined || !wrong.has(selected))) setSelected(first);
  }
  const showWrong = useEffectEvent(() => {
    if (wrong.size > 0) show();
  });
  useEffect(() => {
    showWrong();
  }, [fault]);
  const shown = useRef(picture?.uuid);
  useEffect(() => {
    if (picture?.uuid !== shown.current) show();
    shown.current = picture?.uuid;
  }, [picture?.uuid]);
  const area = selected === undefined ? undefined : areas[selected];
  const overlapped = areas.flatMap((each, at) =>
    area && each !== area && isOver(each.bounds, area.bounds) ? [letterOf(at)] : [],
  );
  const faultOf = (field: string) => error(`areas.${selected}.${field}`);
  const pictureField = (
    <PictureField
      label={t('imagemap.picture')}
      isNamed={false}
      hint={picture ? undefined : t('imagemap.pictureHint')}
      picture={picture}
      isShown={false}
      onChange={(next) => {
        // What comes back would have its place on the old one.
        undo.withdraw();
        const kept = areas.map((each) => ({
          ...each,
          bounds: stretched(each.bounds, picture?.height ?? next.height, next.height),
        }));
        onChange({ ...edit, picture: next, areas: kept.length > 0 ? kept : layoutAreas('whole', next.height) });
        if (kept.length === 0) setSelected(0);
      }}
      error={error('picture')}
    />
  );
  return (
    <>
      {!picture && (
        <Section title={t('imagemap.picture')}>
          <div className={classes['fields']}>{pictureField}</div>
        </Section>
      )}
      {picture && (
        <Section title={t('areas.title')} count={areas.length} end={pictureField}>
          <div className={classes['fields']}>
            <p className={classes['hint']}>
              {t('areas.hint')} <span className={classes['keys']}>{t('areas.keys')}</span>
            </p>
            <div className={classes['layouts']} role="group" aria-label={t('areas.layouts')}>
              {imagemapLayouts.map((shape) => (
                <button
                  key={shape}
                  type="button"
                  title={t(`areas.layout.${shape}`)}
                  aria-label={t(`areas.layout.${shape}`)}
                  aria-pressed={shape === layout}
                  onClick={() => layOut(imagemapAreas(shape, picture.height))}
                >
                  <svg viewBox="0 0 1040 1040" aria-hidden>
                    {imagemapAreas(shape, 1040).map(({ x, y, width, height }) => (
                      <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} />
                    ))}
                  </svg>
                </button>
              ))}
            </div>
            <div className={classes['areas']}>
              <div ref={canvas}>
                <AreaCanvas
                  picture={picture}
                  areas={areas}
                  selected={selected}
                  wrong={wrong}
                  onSelect={setSelected}
                  blank={new Set(areas.flatMap(({ action }, at) => (isBlank(action) ? [at] : [])))}
                  onTap={show}
                  onChange={(at, bounds) => {
                    const before = areas[at];
                    if (before) set(areas.with(at, { ...before, bounds }));
                  }}
                  onAdd={(bounds) =>
                    add({ areas: [...areas, { bounds, action: { ...emptyAction } }], split: undefined })
                  }
                  onRemove={remove}
                />
                {error('areas') && (
                  <p className={classes['problem']} role="alert">
                    {error('areas')}
                  </p>
                )}
              </div>
              <div>
                <div className={classes['areaHead']}>
                  {area && selected !== undefined && (
                    <>
                      <h3>{t('areas.area', { letter: letterOf(selected) })}</h3>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={32}
                        aria-label={t('areas.remove', { letter: letterOf(selected) })}
                        onClick={() => remove(selected)}
                      >
                        <IconTrash size={16} />
                      </ActionIcon>
                    </>
                  )}
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconPlus size={14} />}
                    disabled={areas.length >= maxAreas}
                    onClick={() => add(withOneMore(areas, picture.height, { ...emptyAction }))}
                  >
                    {t('areas.add')}
                  </Button>
                </div>
                {area && selected !== undefined && (
                  // Each has fields of its own, or what one of them completes when it is left would be another's.
                  <div key={selected} role="group" aria-label={t('areas.area', { letter: letterOf(selected) })}>
                    {overlapped.length > 0 && (
                      <p className={`${classes['blank']} ${classes['overlap']}`} role="status">
                        {t('areas.overlap', { letter: letterOf(selected), others: formatList(overlapped) })}
                      </p>
                    )}
                    <ActionFields
                      action={area.action}
                      kinds={kinds}
                      onChange={(action) => set(areas.with(selected, { ...area, action }))}
                      error={(field) => faultOf(`action.${field}`)}
                    />
                    <details
                      className={classes['more']}
                      open={isMore || faultOf('action.label') !== undefined || faultOf('bounds') !== undefined}
                      onToggle={(event) => setIsMore(event.currentTarget.open)}
                    >
                      <summary>{t('areas.more')}</summary>
                      <TextInput
                        label={t('action.label')}
                        description={t('action.labelHint')}
                        value={area.action.label ?? ''}
                        maxLength={100}
                        onChange={(event) =>
                          set(
                            areas.with(selected, {
                              ...area,
                              action: { ...area.action, label: event.currentTarget.value },
                            }),
                          )
                        }
                        error={faultOf('action.label')}
                      />
                      <Text size="sm" fw={600} mt="md" mb={4}>
                        {t('areas.place')}
                      </Text>
                      <div className={classes['measures']}>
                        {measures.map((name) => (
                          <NumberInput
                            key={name}
                            label={t(`areas.measure.${name}`)}
                            value={area.bounds[name]}
                            min={name === 'x' || name === 'y' ? 0 : 1}
                            max={mostOf(name, area.bounds, picture.height)}
                            allowDecimal={false}
                            allowNegative={false}
                            clampBehavior="strict"
                            hideControls
                            onChange={(next) =>
                              typeof next === 'number' &&
                              set(areas.with(selected, { ...area, bounds: { ...area.bounds, [name]: next } }))
                            }
                          />
                        ))}
                      </div>
                      {faultOf('bounds') && (
                        <p className={classes['problem']} role="alert">
                          {faultOf('bounds')}
                        </p>
                      )}
                    </details>
                  </div>
                )}
              </div>
            </div>
          </div>
        </Section>
      )}
    </>
  );
}

/** The layout in which they lie, if it is one. */
const layoutOf = (areas: AreaEdit[], height: number) =>
  imagemapLayouts.find((shape) => {
    const cells = imagemapAreas(shape, height);
    return (
      cells.length === areas.length &&
      cells.every(({ x, y, width, height: high }, at) => {
        const bounds = areas[at]?.bounds;
        return bounds?.x === x && bounds.y === y && bounds.width === width && bounds.height === high;
      })
    );
  });

/** So far it may go, or be made, without leaving the picture. */
const mostOf = (name: (typeof measures)[number], { x, y, width, height: high }: Bounds, height: number): number =>
  ({ x: imagemapWidth - width, y: height - high, width: imagemapWidth - x, height: height - y })[name];
