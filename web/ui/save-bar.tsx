import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './save-bar.module.css';

interface Props {
  /** How many things differ from what is saved; with none the bar is not seen. */
  changes: number;
  /** In place of how many they are. */
  label?: string | undefined;
  /** Something else on the page is to be pressed next, which saves as well. */
  isQuiet?: boolean;
  isBusy: boolean;
  /** What went wrong and belongs to no field. */
  error?: string | undefined;
  onDiscard(): void;
  onSave(): void;
}

/** The foot of a long form: it keeps its place, so nothing moves with the first change. */
export function SaveBar({ changes, label, isQuiet = false, isBusy, error, onDiscard, onSave }: Props) {
  const { t } = useTranslation('common');
  const isDirty = changes > 0;
  return (
    <div className={classes['bar']} data-shown={isDirty || undefined}>
      {error ? (
        <span role="alert" data-failed>
          {error}
        </span>
      ) : (
        <span role="status">{isDirty && (label ?? t('changes', { count: changes }))}</span>
      )}
      <Button variant="default" disabled={!isDirty || isBusy} onClick={onDiscard}>
        {t('discard')}
      </Button>
      <Button variant={isQuiet ? 'default' : 'filled'} loading={isBusy} disabled={!isDirty} onClick={onSave}>
        {t('save')}
      </Button>
    </div>
  );
}
