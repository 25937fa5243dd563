import '@mantine/core/styles/Slider.css';
import { Button, FileButton, Popover, Slider, Stack, Switch, Textarea } from '@mantine/core';
import { IconDownload, IconPhoto, IconUpload } from '@tabler/icons-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { DesignCell, MenuDesign } from '../../../shared/menu-design.ts';
import { areaLetters } from '../../../shared/menu-layout.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { newId } from '../../lib/new-id.ts';
import { saveFile } from '../../lib/save-file.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { contrastOf, enough } from '../../ui/contrast.ts';
import { Section } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { Canvas } from './canvas.tsx';
import { CropDialog } from './crop-dialog.tsx';
import { labelsOf, ratioOf, rolesOf, withExamples, withLabels, type Draft, type Kept, type Sample } from './draft.ts';
import { renderDraft } from './draw-design.ts';
import { IconGlyph } from './icon-glyph.tsx';
import { icons } from './icons.ts';
import classes from './line-menus.module.css';
import { usePictureBytes } from './line-menus.queries.ts';
import { ThemeTile } from './theme-tile.tsx';
import { applyTheme, newCell, newDesign, themeNames, type ThemeName } from './themes.ts';
import type { useHistory } from './use-history.ts';

const sources = ['design', 'upload'] as const;
const pictureTypes = 'image/png,image/jpeg,image/webp';
/** A design has no more room for its picture: the server takes 50 kB in all. */
const maxGroundUnits = 40_000;
const groundWidths = [1250, 1000, 800, 640, 480];

interface Props {
  draft: Draft;
  history: ReturnType<typeof useHistory<Draft>>;
  picture: CanvasImageSource | undefined;
  menu: RichMenu;
  selected: number | undefined;
  onSelect(area: number | undefined): void;
  /** What is left to do and how it looks on a phone, where there is room. */
  left: ReactNode;
  preview: ReactNode;
  sample: Sample;
  kept: Kept;
  onKeep(kept: Kept): void;
  /** A picture on its way in, which may have been let go over the canvas of the areas. */
  cropped: ImageBitmap | undefined;
  onCropped(): void;
  onChoose(file: File): void;
  /** The picture that is saved was uploaded. */
  hasSavedUpload: boolean;
}

export function PicturePart(props: Props) {
  const { draft, history, picture, menu, selected, onSelect, preview, sample, kept, onKeep, hasSavedUpload } = props;
  const { cropped, onCropped, onChoose, left } = props;
  const { t } = useTranslation('line-menus');
  const { size, areas } = draft.menu;
  const { design, upload } = draft;
  const saved = usePictureBytes(menu);
  const hasUpload = upload !== null || (hasSavedUpload && design === null);
  const [source, setSource] = useState<(typeof sources)[number]>(hasUpload || cropped ? 'upload' : 'design');
  const letters = areaLetters(areas);
  const labels = labelsOf(draft, sample);
  const at = selected !== undefined && selected < areas.length ? selected : 0;
  const change = (next: MenuDesign, step?: string) =>
    history.change({ ...draft, design: next, upload: null }, step && `design ${step}`);
  const begin = (name: ThemeName) => {
    // Once the drawing is saved, only this page has it still.
    if (hasSavedUpload && hasUpload && !upload && saved.data)
      onKeep({ ...kept, upload: { id: newId(), file: new Blob([saved.data]) } });
    const roles = rolesOf(draft.menu, menu.uuid);
    const look = applyTheme(design ?? newDesign(roles), name, roles);
    history.change(withExamples({ ...draft, design: look, upload: null }, sample));
  };
  /** Nobody loses what they have by looking at the other way. */
  const turnTo = (next: (typeof sources)[number]) => {
    setSource(next);
    if (next === 'upload' && design && (kept.upload || hasSavedUpload))
      history.change({ ...draft, design: null, upload: kept.upload });
    if (next === 'design' && !design && kept.design) {
      const { cells } = kept.design;
      change({ ...kept.design, cells: areas.map((_, index) => cells[index] ?? newCell(index)) });
    }
  };
  const isCutForAnother =
    upload === null &&
    design === null &&
    menu.image !== null &&
    (menu.image.width !== size.width || menu.image.height !== size.height);
  return (
    <div className={classes['work']}>
      <div className={classes['main']} style={ratioOf(size)}>
        {/* Until there is a picture, what it may look like comes first. */}
        {(design || upload || menu.image) && (
          <>
            <Canvas
              size={size}
              areas={areas.map(({ bounds }, index) => ({ bounds, letter: letters[index] ?? '', isFaulty: false }))}
              selected={design ? at : undefined}
              picture={picture}
              isDrawing={false}
              isQuiet
              onSelect={onSelect}
              onChange={() => {}}
              onDraw={() => {}}
              onKey={() => {}}
            />
            <p id="canvas-hint" className={classes['hint']}>
              {menu.image && !design && !upload
                ? t('editor.image', { ...size, bytes: formatBytes(menu.image.bytes) })
                : `${size.width} × ${size.height} px`}
            </p>
          </>
        )}
        {left}
        {isCutForAnother && (
          <p role="alert" className={classes['fault']}>
            {t('picture.outdated')}
          </p>
        )}
        <div className={classes['labelled']}>
          <span>{t('picture.source')}</span>
          <Segments
            label={t('picture.source')}
            value={source}
            options={sources.map((value) => ({ value, label: t(`picture.sources.${value}`) }))}
            onChange={turnTo}
          />
        </div>
        {source === 'design' ? (
          <Section title={design ? t('picture.look') : t('picture.begin')}>
            {!design && <p className={classes['hint']}>{t('picture.beginText')}</p>}
            <div className={classes['themes']} role="group" aria-label={t('picture.look')}>
              {themeNames.map((name) => (
                <button key={name} type="button" disabled={areas.length === 0} onClick={() => begin(name)}>
                  <ThemeTile name={name} />
                  {t(`picture.themes.${name}`)}
                </button>
              ))}
            </div>
            {areas.length === 0 && <p className={classes['hint']}>{t('editor.noAreas')}</p>}
            {design && hasSavedUpload && <p className={classes['hint']}>{t('picture.replaces')}</p>}
            {design && (
              <Whole
                design={design}
                onChange={change}
                onDownload={() =>
                  void renderDraft(withLabels(draft, sample)).then(
                    async (file) => {
                      const name = `${draft.menu.name}.${file?.type === 'image/png' ? 'png' : 'jpg'}`;
                      if (file) saveFile(await file.arrayBuffer(), { name, type: file.type });
                    },
                    () => toast.error(t('picture.unreadable')),
                  )
                }
              />
            )}
          </Section>
        ) : (
          <Section title={t('picture.sources.upload')}>
            <p className={classes['hint']}>
              {t('picture.uploadHint', { width: formatNumber(size.width), height: formatNumber(size.height) })}
            </p>
            <FileButton onChange={(file) => file && onChoose(file)} accept={pictureTypes}>
              {(props) => (
                <Button variant="default" leftSection={<IconUpload size={16} />} {...props}>
                  {t(hasUpload ? 'picture.replace' : 'picture.upload')}
                </Button>
              )}
            </FileButton>
          </Section>
        )}
      </div>
      <div className={classes['aside']}>
        {design?.cells[at] && source === 'design' && (
          <div className={classes['own']}>
            <CellFields
              letters={letters}
              at={at}
              onSelect={onSelect}
              cell={design.cells[at]}
              label={labels[at]}
              design={design}
              onChange={change}
            />
          </div>
        )}
        {preview}
      </div>
      {cropped && (
        <CropDialog
          bitmap={cropped}
          size={size}
          onCut={(file) => {
            history.change({ ...draft, design: null, upload: { id: newId(), file } });
            onCropped();
          }}
          onClose={onCropped}
        />
      )}
    </div>
  );
}

interface WholeProps {
  design: MenuDesign;
  onChange(design: MenuDesign, step?: string): void;
  onDownload(): void;
}

/** What all cells have in common. */
function Whole({ design, onChange, onDownload }: WholeProps) {
  const { t } = useTranslation('line-menus');
  const takeGround = async (file: File | null) => {
    if (!file) return;
    try {
      onChange({ ...design, picture: await shrink(await createImageBitmap(file)) });
    } catch {
      toast.error(t('picture.unreadable'));
    }
  };
  return (
    <div className={classes['whole']}>
      <MenuColor
        label={t('picture.ground')}
        value={design.ground}
        onChange={(ground) => onChange({ ...design, ground }, 'ground')}
      />
      <Amount
        label={t('picture.gap')}
        value={design.gap}
        max={120}
        step={2}
        onChange={(gap) => onChange({ ...design, gap }, 'gap')}
      />
      <Amount
        label={t('picture.radius')}
        value={design.radius}
        max={240}
        step={4}
        onChange={(radius) => onChange({ ...design, radius }, 'radius')}
      />
      <div>
        <div className={classes['fieldLabel']}>{t('picture.background')}</div>
        <div className={classes['buttons']}>
          <FileButton onChange={(file) => void takeGround(file)} accept={pictureTypes}>
            {(props) => (
              <Button variant="default" size="xs" leftSection={<IconPhoto size={14} />} {...props}>
                {t('picture.chooseBackground')}
              </Button>
            )}
          </FileButton>
          {design.picture && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => onChange({ ...design, picture: null })}>
              {t('picture.removeBackground')}
            </Button>
          )}
        </div>
        <p className={classes['hint']}>{t('picture.backgroundHint')}</p>
      </div>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<IconDownload size={14} />}
        onClick={onDownload}
        className={classes['download'] ?? ''}
      >
        {t('picture.download')}
      </Button>
    </div>
  );
}

/** As large as a design has room for. */
async function shrink(bitmap: ImageBitmap): Promise<string> {
  for (const width of groundWidths) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.min(width, bitmap.width);
    canvas.height = Math.round((bitmap.height * canvas.width) / bitmap.width);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.8, 0.6, 0.4]) {
      const url = canvas.toDataURL('image/jpeg', quality);
      if (url.length <= maxGroundUnits) return url;
    }
  }
  throw new Error('The picture is too detailed.');
}

interface AmountProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  step: number;
  onChange(value: number): void;
}

const Amount = ({ label, value, min = 0, max, step, onChange }: AmountProps) => (
  <div>
    <div className={classes['labelled']}>
      <span>{label}</span>
      <span className={classes['counter']}>{formatNumber(value)}</span>
    </div>
    <Slider min={min} max={max} step={step} value={value} label={null} thumbLabel={label} onChange={onChange} />
  </div>
);

interface CellProps {
  letters: string[];
  at: number;
  onSelect(area: number): void;
  cell: DesignCell;
  label: ReturnType<typeof labelsOf>[number] | undefined;
  design: MenuDesign;
  onChange(design: MenuDesign, step?: string): void;
}

function CellFields({ letters, at, onSelect, cell, label, design, onChange }: CellProps) {
  const { t } = useTranslation('line-menus');
  const [isChoosing, setIsChoosing] = useState(false);
  const set = (changes: Partial<DesignCell>, step?: string) =>
    onChange(
      { ...design, cells: design.cells.map((each, index) => (index === at ? { ...each, ...changes } : each)) },
      step && `${step} ${at}`,
    );
  const { fill, ink, icon, size, bold } = cell;
  const contrast = contrastOf(ink, fill ?? design.ground);
  const shown = contrast.toFixed(1);
  return (
    <Stack gap="md">
      <div className={classes['panelHead']}>
        <span className={classes['letter']}>{letters[at]}</span>
        <h2>{label?.text.trim() || t('picture.cell', { letter: letters[at] })}</h2>
      </div>
      <div className={classes['letters']} role="group" aria-label={t('picture.cells')}>
        {letters
          .map((letter, index) => ({ letter, index }))
          .toSorted((one, other) => one.letter.localeCompare(other.letter))
          .map(({ letter, index }) => (
            <button
              key={index}
              type="button"
              aria-pressed={index === at}
              aria-label={t('picture.cell', { letter })}
              onClick={() => onSelect(index)}
            >
              {letter}
            </button>
          ))}
      </div>
      <Textarea
        label={t('picture.label')}
        description={t(`picture.labelFrom.${label?.from ?? 'sample'}`)}
        inputWrapperOrder={['label', 'input', 'description']}
        autosize
        minRows={1}
        maxRows={3}
        maxLength={60}
        value={label?.text ?? ''}
        onChange={(event) => set({ label: event.currentTarget.value }, 'label')}
      />
      {cell.label !== null && (
        <button type="button" className={classes['link']} onClick={() => set({ label: null })}>
          {t('picture.labelFollow')}
        </button>
      )}
      <div className={classes['row2']}>
        <Popover opened={isChoosing} onChange={setIsChoosing} position="bottom-start" withinPortal trapFocus>
          <Popover.Target>
            <Button
              variant="default"
              leftSection={icon && <IconGlyph name={icon} size={18} />}
              onClick={() => setIsChoosing(!isChoosing)}
            >
              {icon ? t('picture.icon') : t('picture.noIcon')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('picture.icons')}>
            <div className={classes['icons']}>
              <button
                type="button"
                aria-pressed={icon === null}
                data-none
                onClick={() => {
                  set({ icon: null });
                  setIsChoosing(false);
                }}
              >
                {t('picture.noIcon')}
              </button>
              {[...icons.keys()].map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={icon === name}
                  aria-label={name}
                  onClick={() => {
                    set({ icon: name });
                    setIsChoosing(false);
                  }}
                >
                  <IconGlyph name={name} />
                </button>
              ))}
            </div>
          </Popover.Dropdown>
        </Popover>
        <Switch
          label={t('picture.bold')}
          checked={bold}
          onChange={(event) => set({ bold: event.currentTarget.checked })}
        />
      </div>
      <Amount
        label={t('picture.size')}
        value={size}
        min={40}
        max={320}
        step={5}
        onChange={(next) => set({ size: next }, 'size')}
      />
      {fill && <MenuColor label={t('picture.fill')} value={fill} onChange={(next) => set({ fill: next }, 'fill')} />}
      <Switch
        label={t('picture.noFill')}
        checked={fill === null}
        onChange={(event) => set({ fill: event.currentTarget.checked ? null : '#ffffff' })}
      />
      <MenuColor
        label={t('picture.ink')}
        value={ink}
        // On a picture nobody knows.
        note={
          fill === null && design.picture
            ? undefined
            : contrast < enough.text
              ? t('picture.weak', { contrast: shown })
              : t('picture.contrast', { contrast: shown })
        }
        onChange={(next) => set({ ink: next }, 'ink')}
      />
      {design.cells.length > 1 && (
        <Button
          variant="default"
          size="xs"
          onClick={() =>
            onChange({ ...design, cells: design.cells.map((each) => ({ ...each, fill, ink, size, bold })) })
          }
        >
          {t('picture.likeAll')}
        </Button>
      )}
    </Stack>
  );
}

function MenuColor(props: Omit<ComponentProps<typeof ColorField>, 'words'>) {
  const { t } = useTranslation('line-menus');
  return (
    <ColorField {...props} words={{ pick: t('picture.pick', { label: props.label }), form: t('picture.colorForm') }} />
  );
}
