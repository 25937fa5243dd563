import { Button, FileButton, Select, Stack, TextInput } from '@mantine/core';
import { IconBrush, IconFile, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { layoutSize, menuLayoutNames, menuSizes, type MenuLayout } from '../../../shared/menu-layout.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Segments } from '../../ui/segments.tsx';
import { rolesOf, withExamples, withLabels, type Sample } from './draft.ts';
import { LayoutTile } from './layout-tile.tsx';
import classes from './line-menus.module.css';
import { useMakeMenu, useOnLine, type NewMenu } from './line-menus.queries.ts';
import { newDesign } from './themes.ts';
import { useSample } from './use-sample.ts';

const ways = ['layout', 'tabs', 'json', 'line'] as const;
const maxTabs = 3;
const maxTabName = 20;
const tabSamples = ['first', 'second', 'third'] as const;
const forms = ['large', 'compact'] as const;
const maxJsonBytes = 200_000;

interface Props {
  channel: string;
  onMade(menu: RichMenu): void;
  onClose(): void;
}

/** A new menu: from a layout, from a file of LINE's form, or from what LINE has. */
export function CreateDialog({ channel, onMade, onClose }: Props) {
  const { t } = useTranslation('line-menus');
  const [way, setWay] = useState<(typeof ways)[number]>('layout');
  return (
    <Modal opened onClose={onClose} title={t('create.title')} size="lg" centered>
      <Stack>
        <div>
          <Segments
            label={t('create.way')}
            value={way}
            options={ways.map((value) => ({ value, label: t(`create.ways.${value}`) }))}
            onChange={setWay}
          />
        </div>
        {(way === 'layout' || way === 'tabs') && (
          <FromLayout key={way} isTabbed={way === 'tabs'} channel={channel} onMade={onMade} />
        )}
        {way === 'json' && <FromFile channel={channel} onMade={onMade} />}
        {way === 'line' && <FromLine channel={channel} onMade={onMade} />}
      </Stack>
    </Modal>
  );
}

type PartProps = Omit<Props, 'onClose'>;

function FromLayout({ isTabbed, channel, onMade }: PartProps & { isTabbed: boolean }) {
  const { t } = useTranslation('line-menus');
  const make = useMakeMenu(channel);
  const sample = useSample();
  /** Of several menus each has one, which stands on its tab. */
  const [names, setNames] = useState(isTabbed ? ['', ''] : ['']);
  const [form, setForm] = useState<(typeof forms)[number]>('large');
  const [layout, setLayout] = useState<MenuLayout | 'free'>(isTabbed ? 'large-6' : 'large-7');
  const [width, setWidth] = useState(2500);
  const [isTold, setIsTold] = useState(false);
  const shown = menuLayoutNames.filter((each) => each.startsWith(form));
  const base: MenuLayout = form === 'large' ? 'large-1' : 'compact-1';
  const size =
    menuSizes.find((each) => each.width === width && each.width / each.height > 2 === (form === 'compact')) ??
    layoutSize(base);
  const setName = (at: number, name: string) => setNames(names.with(at, name));
  const submit = () => {
    setIsTold(true);
    const [name = ''] = names;
    if (names.some((each) => each.trim() === '')) return;
    const isFree = layout === 'free';
    const body = { layout: isFree ? base : layout, size, default: true };
    make.mutate(
      isTabbed
        ? {
            kind: 'tabs',
            body: { ...body, names },
            draw: async (menu) => drawFirst(menu, sample),
          }
        : { kind: 'layout', body: { ...body, name }, isFree },
      { onSuccess: onMade },
    );
  };
  const missing = (name: string) => isTold && name.trim() === '' && t('common:required');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        {isTabbed ? (
          <fieldset className={classes['tabNames']}>
            <legend>{t('create.tabs')}</legend>
            <p className={classes['hint']}>{t('create.tabsHint')}</p>
            {names.map((name, at) => (
              <div key={at}>
                <TextInput
                  aria-label={t('create.tabName', { number: at + 1 })}
                  placeholder={t(`create.tabSamples.${tabSamples[at] ?? 'first'}`)}
                  value={name}
                  maxLength={maxTabName}
                  error={missing(name)}
                  {...(at === 0 && { 'data-autofocus': true })}
                  onChange={(event) => setName(at, event.currentTarget.value)}
                />
                {names.length > 2 && (
                  <IconButton
                    label={t('create.tabRemove', { number: at + 1 })}
                    onClick={() => setNames(names.toSpliced(at, 1))}
                  >
                    <IconX size={16} stroke={1.75} aria-hidden />
                  </IconButton>
                )}
              </div>
            ))}
            {names.length < maxTabs && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => setNames([...names, ''])}
              >
                {t('create.tabAdd')}
              </Button>
            )}
          </fieldset>
        ) : (
          <TextInput
            label={t('create.name')}
            description={t('create.nameHint')}
            value={names[0] ?? ''}
            onChange={(event) => setName(0, event.currentTarget.value)}
            maxLength={300}
            data-autofocus
            error={missing(names[0] ?? '')}
          />
        )}
        <div>
          <div className={classes['labelled']}>
            <span>{t(isTabbed ? 'create.layoutBelow' : 'create.layouts')}</span>
            <Segments
              label={t('create.layouts')}
              value={form}
              options={forms.map((value) => ({ value, label: t(`create.${value}`) }))}
              onChange={(next) => {
                setForm(next);
                setLayout(next === 'large' ? 'large-7' : 'compact-5');
              }}
            />
          </div>
          <div className={classes['tiles']}>
            {shown.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === layout}
                aria-label={t(`layout.${each}`)}
                title={t(`layout.${each}`)}
                onClick={() => setLayout(each)}
              >
                <LayoutTile layout={each} tabs={isTabbed ? names.length : 0} />
              </button>
            ))}
            {!isTabbed && (
              <button type="button" aria-pressed={layout === 'free'} onClick={() => setLayout('free')} data-wide>
                <IconBrush size={18} stroke={1.6} aria-hidden />
                {t('create.free')}
              </button>
            )}
          </div>
        </div>
        <Select
          label={t('create.pixels')}
          value={String(width)}
          data={menuSizes
            .filter((each) => each.width / each.height > 2 === (form === 'compact'))
            .map((each) => ({ value: String(each.width), label: `${each.width} × ${each.height}` }))}
          allowDeselect={false}
          maw={200}
          onChange={(next) => setWidth(Number(next))}
        />
        <Fault error={make.error} />
        <Button type="submit" loading={make.isPending} ml="auto">
          {isTabbed ? t('create.goTabs', { count: names.length }) : t('create.go')}
        </Button>
      </Stack>
    </form>
  );
}

/** Tabs are drawn at once with all that is below them, so that whoever opens the menu sees them. */
async function drawFirst({ menu, uuid }: RichMenu, sample: Sample) {
  const { renderDraft } = await import('./draw-design.ts');
  const drawn = withExamples({ menu, design: newDesign(rolesOf(menu, uuid)) }, sample);
  return { ...drawn, picture: await renderDraft(withLabels(drawn, sample)) };
}

function FromFile({ channel, onMade }: PartProps) {
  const { t } = useTranslation('line-menus');
  const make = useMakeMenu(channel);
  const [isWrong, setIsWrong] = useState(false);
  const read = async (file: File | null) => {
    if (!file) return;
    setIsWrong(false);
    const menu = file.size > maxJsonBytes ? undefined : parse(await file.text());
    if (!menu) return setIsWrong(true);
    return make.mutate({ kind: 'json', menu }, { onSuccess: onMade });
  };
  return (
    <Stack align="flex-start">
      <p className={classes['hint']}>{t('create.fileHint')}</p>
      <FileButton onChange={(file) => void read(file)} accept="application/json,.json">
        {(props) => (
          <Button variant="default" leftSection={<IconFile size={16} />} loading={make.isPending} {...props}>
            {t('create.file')}
          </Button>
        )}
      </FileButton>
      {isWrong && (
        <p role="alert" className={classes['fault']}>
          {t('create.fileWrong')}
        </p>
      )}
      <Fault error={make.error} />
    </Stack>
  );
}

type Json = Extract<NewMenu, { kind: 'json' }>['menu'];

/** What has the outline of a menu; the server looks at the rest. */
function parse(text: string): Json | undefined {
  try {
    const read: Json | null = JSON.parse(text);
    return Array.isArray(read?.areas) && read.size ? read : undefined;
  } catch {
    return undefined;
  }
}

function FromLine({ channel, onMade }: PartProps) {
  const { t } = useTranslation('line-menus');
  const make = useMakeMenu(channel);
  const there = useOnLine(channel);
  const unknown = there.data?.data.filter(({ state }) => state === 'unknown');
  return (
    <Stack>
      <p className={classes['hint']}>{t('create.lineHint')}</p>
      {unknown?.length === 0 && <p className={classes['hint']}>{t('create.lineNone')}</p>}
      <ul className={classes['lines']}>
        {unknown?.map(({ lineId, name }) => (
          <li key={lineId}>
            <span>{name}</span>
            <Button
              variant="default"
              size="xs"
              loading={make.isPending}
              onClick={() => make.mutate({ kind: 'line', lineId }, { onSuccess: onMade })}
            >
              {t('create.take')}
            </Button>
          </li>
        ))}
      </ul>
      <Fault error={there.error ?? make.error} />
    </Stack>
  );
}

function Fault({ error }: { error: object | null }) {
  if (!error) return null;
  const first = error instanceof ApiError ? Object.values(error.fields)[0] : undefined;
  return (
    <p role="alert" className={classes['fault']}>
      {first ?? errorText(error)}
    </p>
  );
}
