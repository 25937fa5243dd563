import { ActionIcon, Button, CopyButton, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconChevronLeft,
  IconChevronRight,
  IconBrush,
  IconCopy,
  IconDownload,
  IconLink,
  IconRefresh,
  IconTrash,
  IconVersions,
} from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { sampleService, uploadService, type Image } from '../../../shared/contracts/images.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Pixels } from '../../ui/pixels.tsx';
import { State } from '../../ui/page.tsx';
import { usePixels } from './images.queries.ts';
import { Thumb } from './thumb.tsx';
import classes from './images.module.css';

interface Props {
  image: Image;
  /** Those that were drawn with it. */
  siblings: Image[];
  mayEdit: boolean;
  isOpen: boolean;
  previous: string | undefined;
  next: string | undefined;
  onShow(uuid: string): void;
  onClose(): void;
  onReuse(image: Image): void;
  onVary(image: Image): void;
  /** Changes a part of it. */
  onEdit(image: Image): void;
  onDownload(image: Image): void;
  onRemove(image: Image): void;
}

const swipePx = 48;

/** One picture large, with what is known of it. */
export function ImagePreview(props: Props) {
  const { image, isOpen, previous, next, mayEdit, onShow, onRemove, onClose } = props;
  const { t } = useTranslation('images');
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  const touchedAt = useRef<number>(undefined);
  const turn = useEffectEvent((event: KeyboardEvent) => {
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined;
    if (to && !event.defaultPrevented) onShow(to);
    if (event.key === 'Delete' && mayEdit) onRemove(image);
  });
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent) => turn(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isOpen]);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="min(1120px, 96vw)"
      fullScreen={isPhone}
      padding={0}
      centered
      title={image.prompt}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{
        title: classes['previewTitle'] ?? '',
        header: classes['previewHead'] ?? '',
        body: classes['preview'] ?? '',
      }}
    >
      <div
        className={classes['stage']}
        onTouchStart={({ touches }) => void (touchedAt.current = touches[0]?.clientX)}
        onTouchEnd={({ changedTouches }) => {
          const moved = (changedTouches[0]?.clientX ?? 0) - (touchedAt.current ?? 0);
          const to = moved > swipePx ? previous : moved < -swipePx ? next : undefined;
          if (to) onShow(to);
        }}
      >
        <Large image={image} />
        <ActionIcon
          className={classes['turn'] ?? ''}
          data-side="left"
          variant="default"
          disabled={!previous}
          aria-label={t('previous')}
          onClick={() => previous && onShow(previous)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon
          className={classes['turn'] ?? ''}
          data-side="right"
          variant="default"
          disabled={!next}
          aria-label={t('next')}
          onClick={() => next && onShow(next)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
      <Aside {...props} />
    </Modal>
  );
}

function Large({ image }: { image: Image }) {
  const { t } = useTranslation('images');
  const { uuid, status, prompt } = image;
  const { data: bytes } = usePixels(uuid, status === 'done');
  if (status !== 'done')
    return (
      <span className={classes['told']}>
        <State kind={status === 'failed' ? 'failed' : status === 'canceled' ? 'off' : 'working'}>
          {t(`state.${status}`)}
        </State>
        {image.error && <small>{image.error.message}</small>}
      </span>
    );
  return bytes ? (
    <Pixels key={uuid} className={classes['large'] ?? ''} bytes={bytes} mime="image/png" alt={prompt} />
  ) : (
    <Thumb uuid={uuid} alt={prompt} />
  );
}

function Aside({ image, siblings, mayEdit, onShow, onReuse, onVary, onEdit, onDownload, onRemove }: Props) {
  const { t } = useTranslation('images');
  const isDone = image.status === 'done';
  const isUpload = image.service.uuid === uploadService;
  const link = `${window.location.origin}/Image-Generate/PreviewModal?image=${image.uuid}`;
  const cost = image.ownKey
    ? t('ownKey')
    : image.cost === 0
      ? t('free')
      : t('credits', { credits: formatNumber(image.cost / microPerCredit) });
  const facts = [
    [
      t(isUpload ? 'details.origin' : 'details.model'),
      isUpload ? t('uploaded') : image.service.uuid === sampleService ? t('sample') : image.service.name,
    ],
    [t('details.size'), `${image.width} × ${image.height}`],
    ...(isUpload
      ? []
      : [
          // No other model takes it.
          ...(image.service.uuid === sampleService ? [[t('details.seed'), String(image.seed)]] : []),
          [t('details.cost'), cost],
        ]),
    ...(image.masked ? [[t('details.part'), t('mask.only')]] : []),
    ...(image.by ? [[t('details.by'), image.by]] : []),
    [t('details.when'), formatMoment(image.createdAt)],
  ];
  return (
    <aside className={classes['aside']}>
      <p className={classes['words']}>{image.prompt}</p>
      <Group gap="xs" mb="md">
        {!isUpload && (
          <CopyButton value={image.prompt}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" leftSection={<IconCopy size={14} />} onClick={copy}>
                {copied ? t('copied') : t('copyPrompt')}
              </Button>
            )}
          </CopyButton>
        )}
        {mayEdit && !isUpload && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            onClick={() => onReuse(image)}
          >
            {t('reuse')}
          </Button>
        )}
        {mayEdit && isDone && !isUpload && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconVersions size={14} />}
            onClick={() => onVary(image)}
          >
            {t('vary')}
          </Button>
        )}
        {mayEdit && isDone && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconBrush size={14} />}
            onClick={() => onEdit(image)}
          >
            {t('edit')}
          </Button>
        )}
      </Group>
      <dl className={classes['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {siblings.length > 1 && (
        <div className={classes['siblings']} role="group" aria-label={t('batch')}>
          {siblings.map(({ uuid, prompt }, at) => (
            <button
              key={uuid}
              type="button"
              aria-current={uuid === image.uuid || undefined}
              aria-label={`${prompt} ${at + 1}`}
              onClick={() => onShow(uuid)}
            >
              <Thumb uuid={uuid} alt="" />
            </button>
          ))}
        </div>
      )}
      <footer className={classes['foot']}>
        <Button flex={1} leftSection={<IconDownload size={16} />} disabled={!isDone} onClick={() => onDownload(image)}>
          {t('download')}
        </Button>
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <ActionIcon
              size={32}
              variant="default"
              onClick={copy}
              aria-label={copied ? t('copied') : t('copyLink')}
              title={copied ? t('copied') : t('copyLink')}
            >
              <IconLink size={16} />
            </ActionIcon>
          )}
        </CopyButton>
        {mayEdit && (
          <ActionIcon
            size={32}
            variant="default"
            onClick={() => onRemove(image)}
            aria-label={t('delete')}
            title={t('delete')}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </footer>
    </aside>
  );
}
