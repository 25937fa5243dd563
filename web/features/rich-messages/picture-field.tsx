import { Button, FileButton, Group } from '@mantine/core';
import { IconPhoto, IconTrash } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Picture } from '../../../shared/rich-message.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDrop } from '../../ui/use-drop.ts';
import classes from './rich-messages.module.css';
import { useUploadRichImage } from './rich-messages.queries.ts';

interface Props {
  label: string;
  /** The section that it is in has its name. */
  isNamed?: boolean;
  hint?: string | undefined;
  picture: Pick<Picture, 'uuid'> | null;
  isShown?: boolean;
  onChange(picture: Picture): void;
  onRemove?: () => void;
  error?: string | undefined;
}

/** Uploads a picture by a button, or by letting go of a file over it. */
export function PictureField({
  label,
  isNamed = true,
  hint,
  picture,
  isShown = true,
  onChange,
  onRemove,
  error,
}: Props) {
  const { t } = useTranslation('rich-messages');
  const upload = useUploadRichImage();
  const reset = useRef<() => void>(null);
  const take = (file: File | null | undefined) => {
    reset.current?.(); // so that the same file can be chosen again
    if (file) upload.mutate(file);
  };
  // What was written while it was on its way is not to be lost.
  const keep = useEffectEvent(onChange);
  const { data: uploaded } = upload;
  useEffect(() => {
    if (uploaded) keep(uploaded);
  }, [uploaded]);
  const drop = useDrop(([file]) => take(file));
  const failed = problemOf(upload.error) ?? error;
  return (
    <div
      className={classes['picture']}
      data-empty={!picture || undefined}
      data-over={drop.isOver || undefined}
      {...drop.handlers}
    >
      {picture && isShown && <img src={`/line/image/${picture.uuid}/300`} alt="" />}
      <div>
        {isNamed && <b className={classes['fieldName']}>{label}</b>}
        {!picture && !hint && <p className={classes['hint']}>{t('picture.hint')}</p>}
        {hint && <p className={classes['hint']}>{hint}</p>}
        <Group gap={8} mt={isNamed || hint ? 6 : 0}>
          <FileButton
            accept="image/png,image/jpeg,image/webp,image/gif"
            resetRef={reset}
            onChange={take}
            inputProps={{ 'aria-label': label }}
          >
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                leftSection={<IconPhoto size={14} />}
                loading={upload.isPending}
              >
                {t(!picture ? 'picture.choose' : isShown ? 'picture.replace' : 'picture.replacePicture')}
              </Button>
            )}
          </FileButton>
          {picture && onRemove && (
            <Button size="xs" variant="subtle" color="gray" leftSection={<IconTrash size={14} />} onClick={onRemove}>
              {t('picture.remove')}
            </Button>
          )}
        </Group>
        {failed && (
          <p className={classes['problem']} role="alert">
            {failed}
          </p>
        )}
      </div>
    </div>
  );
}
