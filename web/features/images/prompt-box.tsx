import { Button, Select, Textarea } from '@mantine/core';
import { IconCheck, IconCoins } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, type FormEvent, type Ref } from 'react';
import {
  imageSizes,
  maxImages,
  maxPrompt,
  maxReferences,
  sampleService,
  type ImageSize,
  type Mask,
} from '../../../shared/contracts/images.ts';
import type { Service } from '../../../shared/contracts/services.ts';
import { formatDollars } from '../../lib/amounts.ts';
import { formatNumber, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { toServiceOption } from '../../lib/service-option.ts';
import { isComposing } from '../../ui/keyboard.ts';
import { ServiceSelect } from '../../ui/service-select.tsx';
import { useDrop } from '../../ui/use-drop.ts';
import { AddReference, References, useAddReferences } from './references.tsx';
import classes from './images.module.css';

export interface Draft {
  prompt: string;
  service: string;
  size: ImageSize;
  count: number;
  references: string[];
  mask: Mask | undefined;
  /** Of an example, for as long as its words are left as they are: the sample then draws what was shown. */
  seed: number | undefined;
}

interface Props {
  /** Where the words are written. */
  ref: Ref<HTMLTextAreaElement>;
  draft: Draft;
  services: Service[];
  isBusy: boolean;
  error: string | undefined;
  onChange(change: Partial<Draft>): void;
  onDraw(): void;
}

const ratios: Record<ImageSize, string> = { '1024x1024': '1:1', '1536x1024': '3:2', '1024x1536': '2:3' };
/** What the two small lists have in common; their choices are wider than they are. */
const plain = {
  allowDeselect: false,
  rightSectionWidth: 24,
  comboboxProps: { width: 180, position: 'bottom-start' },
} as const;
const counts = [1, 2, 4, maxImages];

/** What a picture should show, by which model, how large and how many, and what they cost at most. */
export function PromptBox({ ref, draft, services, isBusy, error, onChange, onDraw }: Props) {
  const { t } = useTranslation('images');
  const mayManage = useMay('manage');
  const form = useRef<HTMLFormElement>(null);
  const chosen = services.find(({ uuid }) => uuid === draft.service);
  const isReady = chosen?.availability === 'ready';
  const canMask = draft.references.length > 0 && (chosen?.capabilities.includes('mask') ?? false);
  const adding = useAddReferences((uuids) =>
    onChange({ references: [...draft.references, ...uuids].slice(0, maxReferences) }),
  );
  const drop = useDrop((files) => void adding.add(files));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.prompt.trim() !== '' && isReady && !isBusy) onDraw();
  };
  const factsOf = (service: Service) => [
    service.uuid === sampleService || service.imagePrice === 0
      ? t('free')
      : service.key === 'workspace'
        ? t('ownKey')
        : service.imagePrice === null
          ? ''
          : formatDollars(service.imagePrice),
  ];
  return (
    <form
      ref={form}
      className={classes['box']}
      data-over={drop.isOver || undefined}
      onSubmit={submit}
      {...drop.handlers}
    >
      <Textarea
        ref={ref}
        variant="unstyled"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={maxPrompt}
        aria-label={t('prompt')}
        placeholder={t('promptHint')}
        value={draft.prompt}
        onChange={(event) => onChange({ prompt: event.currentTarget.value, seed: undefined })}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void adding.add(files);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          form.current?.requestSubmit();
        }}
        classNames={{ root: classes['field'] ?? '', input: classes['prompt'] ?? '' }}
      />
      {draft.references.length > 0 && (
        <References references={draft.references} mask={draft.mask} canMask={canMask} onChange={onChange} />
      )}
      <div className={classes['add']}>
        <AddReference isBusy={adding.isBusy} onFiles={(files) => void adding.add(files)} />
      </div>
      <div className={classes['choices']}>
        <Select
          className={classes['ratio'] ?? ''}
          aria-label={t('size')}
          title={t('size')}
          data={imageSizes.map((value) => ({ value, label: ratios[value] }))}
          value={draft.size}
          leftSectionWidth={32}
          leftSection={<Shape size={draft.size} />}
          renderOption={({ option, checked }) => {
            const size = imageSizes.find((each) => each === option.value);
            return (
              size && (
                <span className={classes['format']}>
                  <Shape size={size} />
                  {t(`sizes.${size}`)}
                  {checked && <IconCheck size={16} aria-hidden />}
                </span>
              )
            );
          }}
          onChange={(next) => {
            const size = imageSizes.find((each) => each === next);
            if (size) onChange({ size });
          }}
          {...plain}
        />
        <Select
          className={classes['count'] ?? ''}
          aria-label={t('count')}
          title={t('count')}
          data={counts.map((count) => ({ value: String(count), label: t('images', { count }) }))}
          value={String(draft.count)}
          onChange={(next) => next && onChange({ count: Number(next) })}
          {...plain}
        />
        <ServiceSelect
          label={t('service')}
          nothingFound={t('nothingFound')}
          options={services
            .filter(({ availability }) => availability === 'ready')
            .map((service) => {
              const option = toServiceOption(service, factsOf(service));
              return service.uuid === sampleService ? { ...option, name: t('sample'), tag: '' } : option;
            })}
          value={draft.service}
          onChange={(service) => onChange({ service })}
        />
      </div>
      <div className={classes['end']}>
        <span className={classes['estimate']}>
          <IconCoins size={14} aria-hidden />
          <Estimate service={chosen} count={draft.count} />
        </span>
        <Button type="submit" loading={isBusy} disabled={draft.prompt.trim() === '' || !isReady}>
          {t('draw')}
        </Button>
      </div>
      <div className={classes['notes']}>
        {draft.service === sampleService && (
          <p>
            {t(draft.references.length > 0 && !draft.mask ? 'sampleReference' : 'sampleNote')}
            {gap()}
            {mayManage && (
              <Link to="/Token" search={{ tab: 'models' }}>
                {t('addKey')}
              </Link>
            )}
          </p>
        )}
        {draft.mask && !canMask && <p>{t('mask.cannot')}</p>}
      </div>
      {error && (
        <p className={classes['error']} role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

/** A frame of its ratio. */
const Shape = ({ size }: { size: ImageSize }) => <span className={classes['shape']} data-size={size} aria-hidden />;

/** At list price: the operator's margin is not told to pages, so what is set aside may be more. */
function Estimate({ service, count }: { service: Service | undefined; count: number }) {
  const { t } = useTranslation('images');
  if (!service || service.availability !== 'ready') return t('noModel');
  if (service.key === 'none') return t('free');
  if (service.key === 'workspace') return t('ownKey');
  return t('estimate', { credits: formatNumber(Math.ceil((service.imagePrice ?? 0) * count * 100 * 100) / 100) });
}
