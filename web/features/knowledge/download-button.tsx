import { Button } from '@mantine/core';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { download } from './document-table.tsx';

/** For an original that is not drawn, beside the sentence that says so. */
export function DownloadButton({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  return (
    <Button size="compact-sm" variant="default" onClick={() => void download(document)}>
      {t('document.download')}
    </Button>
  );
}
