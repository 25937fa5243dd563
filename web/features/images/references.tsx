import { Button, FileButton } from '@mantine/core';
import { IconBrush, IconPhotoPlus, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { maxReferences, type Mask } from '../../../shared/contracts/images.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUploadImage } from './images.queries.ts';
import { MaskDialog } from './mask-dialog.tsx';
import { Thumb } from './thumb.tsx';
import classes from './images.module.css';

interface Props {
  references: string[];
  mask: Mask | undefined;
  /** The chosen model keeps what is not painted. */
  canMask: boolean;
  onChange(change: { references: string[]; mask: Mask | undefined }): void;
}

const pictures = 'image/png,image/jpeg,image/webp,image/gif';

/** Pictures that a new one begins with, and the part of the first that may change. */
export function References({ references, mask, canMask, onChange }: Props) {
  const { t } = useTranslation('images');
  const [isPainting, setIsPainting] = useState(false);
  const [first] = references;
  return (
    <div className={classes['references']} role="group" aria-label={t('references')}>
      {references.map((uuid, at) => (
        <span key={uuid} className={classes['reference']}>
          <Thumb uuid={uuid} alt={t('reference', { number: at + 1 })} />
          <IconButton
            label={t('drop', { number: at + 1 })}
            onClick={() => onChange({ references: references.toSpliced(at, 1), mask: at === 0 ? undefined : mask })}
          >
            <IconX size={14} />
          </IconButton>
        </span>
      ))}
      {canMask && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconBrush size={14} />}
          onClick={() => setIsPainting(true)}
        >
          {t(mask ? 'mask.change' : 'mask.open')}
        </Button>
      )}
      {mask && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange({ references, mask: undefined })}>
          {t('mask.drop')}
        </Button>
      )}
      {isPainting && first !== undefined && (
        <MaskDialog
          uuid={first}
          mask={mask}
          onClose={() => setIsPainting(false)}
          onDone={(next) => {
            onChange({ references, mask: next });
            setIsPainting(false);
          }}
        />
      )}
    </div>
  );
}

/** Puts pictures of one's own into the gallery, and gives their ids. */
export function useAddReferences(onAdded: (uuids: string[]) => void) {
  const upload = useUploadImage();
  return {
    isBusy: upload.isPending,
    async add(files: File[]) {
      try {
        const added: string[] = [];
        for (const file of files.slice(0, maxReferences)) added.push((await upload.mutateAsync(file)).uuid);
        onAdded(added);
      } catch (error) {
        toast.error(errorText(error));
      }
    },
  };
}

/** The same by a button. */
export function AddReference({ isBusy, onFiles }: { isBusy: boolean; onFiles(files: File[]): void }) {
  const { t } = useTranslation('images');
  const reset = useRef<() => void>(null);
  return (
    <FileButton
      multiple
      accept={pictures}
      resetRef={reset}
      inputProps={{ 'aria-label': t('addReference') }}
      onChange={(files) => {
        reset.current?.(); // so that the same file can be chosen again
        onFiles(files);
      }}
    >
      {(props) => (
        <IconButton {...props} label={t('addReference')} disabled={isBusy} aria-busy={isBusy}>
          <IconPhotoPlus size={18} />
          <span className={classes['word']} aria-hidden>
            {t('referenceShort')}
          </span>
        </IconButton>
      )}
    </FileButton>
  );
}
