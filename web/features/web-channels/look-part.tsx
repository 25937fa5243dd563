import '@mantine/core/styles/NumberInput.css';
import { Anchor, Button, FileButton, Group, Input, NumberInput, Stack, Switch, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { files } from '../../../shared/contracts/accounts.ts';
import { launchers, usualEmbed, type WebChannel } from '../../../shared/contracts/web-channels.ts';
import { ApiError, call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { monospace } from '../../ui/monospace.ts';
import { Section, rowClass } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { WidgetColorField } from './widget-color-field.tsx';
import { launcherIcons } from './launchers.ts';
import type { PartProps, Values } from './part.ts';
import { useOurWords } from './words.ts';
import { useStays } from '../../ui/use-stays.ts';
import classes from './web-channels.module.css';

const themes = {
  leaf: { color: usualEmbed.look.color, colorDark: usualEmbed.look.colorDark },
  indigo: { color: '#27489c', colorDark: '#5577cf' },
  russet: { color: '#8f2f46', colorDark: '#c05a72' },
  teal: { color: '#2a5c5e', colorDark: '#4b8b8e' },
  ink: { color: '#141a15', colorDark: '#e9ede6' },
} as const;
const themeNames = ['leaf', 'indigo', 'russet', 'teal', 'ink'] as const;

interface Props extends PartProps {
  channel: WebChannel;
  handoff: Values['connection']['handoff'];
  onHandoff(handoff: Values['connection']['handoff']): void;
  onTexts(): void;
  picture: WebChannel['avatar'];
  onPicture(picture: { uuid: string; url: string } | null): void;
}

export function LookPart({ channel, handoff, onHandoff, onTexts, picture, onPicture, ...part }: Props) {
  const { t } = useTranslation('web-channels');
  const { settings, set, locale, fieldError } = part;
  const { look, shown, texts } = settings;
  const ours = useOurWords(locale).data ?? {};
  const change = (changes: Partial<typeof look>) => set({ look: { ...look, ...changes } });
  // What is folded shows itself where it holds something of one's own, or something wrong.
  const [own] = useState({
    css: look.css !== '',
    colors: !themeNames.some((name) => themes[name].color === look.color && themes[name].colorDark === look.colorDark),
  });
  const isWrong = (...names: (keyof typeof look)[]) => names.some((name) => fieldError(`look.${name}`) !== undefined);
  const areColorsOpen = useStays(own.colors || isWrong('color', 'colorDark'));
  const isSizeOpen = useStays(isWrong('width', 'height', 'offsetX', 'offsetY'));
  const isCssOpen = useStays(own.css || isWrong('css'));
  return (
    <div className={classes['sections']}>
      <Section title={t('look.brand')}>
        <Stack gap={18} pt={14}>
          <Input.Wrapper label={t('look.color')} labelElement="div">
            <div role="group" aria-label={t('look.themes')} className={classes['themes']}>
              {themeNames.map((name) => {
                const { color, colorDark } = themes[name];
                return (
                  <button
                    key={name}
                    type="button"
                    aria-pressed={look.color === color && look.colorDark === colorDark}
                    aria-label={t(`look.theme.${name}`)}
                    title={t(`look.theme.${name}`)}
                    style={{ background: `linear-gradient(135deg, ${color} 50%, ${colorDark} 50%)` }}
                    onClick={() => change({ color, colorDark })}
                  />
                );
              })}
            </div>
          </Input.Wrapper>

          <details className={classes['fold']} open={areColorsOpen}>
            <summary>{t('look.ownColors')}</summary>
            <div className={classes['two']}>
              <WidgetColorField
                label={t('look.light')}
                value={look.color}
                ground="#ffffff"
                onChange={(color) => change({ color })}
                error={fieldError('look.color')}
              />
              <WidgetColorField
                label={t('look.dark')}
                value={look.colorDark}
                ground="#141916"
                onChange={(colorDark) => change({ colorDark })}
                error={fieldError('look.colorDark')}
              />
            </div>
          </details>
          <Chosen label={t('look.scheme')}>
            <Segments
              label={t('look.scheme')}
              value={look.scheme}
              options={(['auto', 'light', 'dark'] as const).map((value) => ({
                value,
                label: t(`look.schemes.${value}`),
              }))}
              onChange={(scheme) => change({ scheme })}
            />
          </Chosen>
          <Picture
            channel={channel}
            title={texts[locale].title || channel.bot?.name || (ours['title'] ?? '')}
            picture={picture}
            onPicture={onPicture}
          />
          <Anchor component="button" type="button" size="sm" className={classes['onward'] ?? ''} onClick={onTexts}>
            {t('look.toTexts')}
          </Anchor>
        </Stack>
      </Section>
      <Section title={t('look.placement')}>
        <Stack gap={18} pt={14}>
          <div className={classes['two']}>
            <Chosen label={t('look.position')}>
              <Segments
                label={t('look.position')}
                value={look.position}
                options={(['left', 'right'] as const).map((value) => ({ value, label: t(`look.positions.${value}`) }))}
                onChange={(position) => change({ position })}
              />
            </Chosen>
            <Chosen label={t('look.launcher')}>
              <Segments
                label={t('look.launcher')}
                value={look.launcher}
                options={launchers.map((value) => {
                  const Icon = launcherIcons[value];
                  return { value, label: t(`look.launchers.${value}`), icon: <Icon size={16} stroke={1.75} /> };
                })}
                onChange={(launcher) => change({ launcher })}
              />
            </Chosen>
          </div>

          <details className={classes['fold']} open={isSizeOpen}>
            <summary>
              {t('look.size')} <small>{t('look.sizeNow', { width: look.width, height: look.height })}</small>
            </summary>
            <div className={classes['two']}>
              {(['width', 'height', 'offsetX', 'offsetY'] as const).map((name) => (
                <Pixels
                  key={name}
                  label={t(`look.${name}`)}
                  value={look[name]}
                  {...ranges[name]}
                  onChange={(value) => change({ [name]: value })}
                  error={fieldError(`look.${name}`)}
                />
              ))}
            </div>
          </details>
        </Stack>
      </Section>
      <Section title={t('shown.title')}>
        {(['citations', 'pages', 'upload', 'person', 'feedback', 'sound', 'poweredBy'] as const).map((name) => (
          <div key={name} className={rowClass} data-dense>
            <Switch
              className={classes['shown'] ?? ''}
              label={t(`shown.${name}`)}
              {...(name === 'pages' && { description: t('shown.pagesHint'), disabled: !shown.citations })}
              checked={name === 'person' ? handoff.offered : shown[name]}
              onChange={({ currentTarget: { checked } }) =>
                name === 'person'
                  ? onHandoff({ ...handoff, offered: checked })
                  : set({ shown: { ...shown, [name]: checked } })
              }
            />
          </div>
        ))}
      </Section>

      <Section title={t('look.more')}>
        <Stack gap={18} pt={14}>
          <AutoOpen settings={settings} set={set} fieldError={fieldError} />

          <details className={classes['fold']} open={isCssOpen}>
            <summary>{t('look.css')}</summary>
            <Textarea
              label={t('look.css')}
              description={t('look.cssHint')}
              value={look.css}
              onChange={(event) => change({ css: event.currentTarget.value })}
              maxLength={20_000}
              autosize
              minRows={3}
              maxRows={16}
              spellCheck={false}
              styles={monospace}
              error={fieldError('look.css')}
            />
          </details>
        </Stack>
      </Section>
    </div>
  );
}

const ranges = {
  width: { min: 300, max: 640 },
  height: { min: 400, max: 900 },
  offsetX: { min: 0, max: 400 },
  offsetY: { min: 0, max: 400 },
};

function Chosen({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div className={classes['chosen']}>{children}</div>
    </Input.Wrapper>
  );
}

interface PixelsProps {
  label: string;
  value: number;
  min: number;
  max: number;
  error: string | undefined;
  onChange(value: number): void;
}

const Pixels = ({ label, value, min, max, error, onChange }: PixelsProps) => (
  <NumberInput
    label={label}
    value={value}
    min={min}
    max={max}
    step={10}
    suffix=" px"
    allowDecimal={false}
    allowNegative={false}
    // What is too small or too large is put right when the field is left; an empty one keeps what it had.
    onChange={(next) => typeof next === 'number' && next >= min && next <= max && onChange(next)}
    clampBehavior="blur"
    error={error}
  />
);

function AutoOpen({
  settings: { autoOpenSeconds },
  set,
  fieldError,
}: Pick<PartProps, 'settings' | 'set' | 'fieldError'>) {
  const { t } = useTranslation('web-channels');
  return (
    <Stack gap={8}>
      <Switch
        label={t('look.autoOpen')}
        description={t('look.autoOpenHint')}
        checked={autoOpenSeconds !== null}
        onChange={(event) => set({ autoOpenSeconds: event.currentTarget.checked ? 10 : null })}
      />
      {autoOpenSeconds !== null && (
        <NumberInput
          aria-label={t('look.autoOpenAfter')}
          value={autoOpenSeconds}
          min={1}
          max={600}
          suffix={t('look.secondsSuffix')}
          allowDecimal={false}
          w={140}
          onChange={(next) => typeof next === 'number' && next >= 1 && next <= 600 && set({ autoOpenSeconds: next })}
          error={fieldError('autoOpenSeconds')}
        />
      )}
    </Stack>
  );
}

function Picture({
  channel,
  title,
  picture,
  onPicture,
}: Pick<Props, 'channel' | 'picture' | 'onPicture'> & {
  /** What the widget is called, whose first letter stands where there is no picture. */
  title: string;
}) {
  const { t } = useTranslation('web-channels');
  const [isBusy, setIsBusy] = useState(false);
  const upload = async (file: File | null) => {
    if (!file) return;
    const form = new FormData();
    form.append('file', file);
    setIsBusy(true);
    try {
      onPicture((await call(files.uploadImage, { form })).data);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      toast.error(failure.message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Input.Wrapper label={t('look.avatar')} description={picture ? undefined : t('look.avatarHint')} labelElement="div">
      <Group gap="xs" mt={6}>
        {picture ? (
          <Avatar kind="workspace" name={channel.name} url={picture.url} size={34} />
        ) : channel.bot ? (
          <Avatar mark={channel.bot.mark} name={title} url={channel.bot.avatar?.url} size={34} />
        ) : (
          <Avatar mark={0} name={title} size={34} />
        )}
        <FileButton onChange={(file) => void upload(file)} accept="image/png,image/jpeg,image/webp,image/gif">
          {(props) => (
            <Button size="xs" variant="default" loading={isBusy} {...props}>
              {t('look.upload')}
            </Button>
          )}
        </FileButton>
        {picture && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onPicture(null)}>
            {t('common:remove')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
