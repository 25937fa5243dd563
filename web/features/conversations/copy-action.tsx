import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';

export function CopyAction({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation('conversations');
  const { copied, copy } = useClipboard();
  return (
    <IconButton label={copied ? t('common:copied') : label} onClick={() => copy(value)}>
      {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
    </IconButton>
  );
}
