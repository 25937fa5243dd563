import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatList } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { findBotsOf } from './knowledge.queries.ts';

interface Asked {
  documents: Document[];
  bots: string[];
  remove(): void;
}

/** Removes documents at once where no bot answers from their bases; else it names the bots first. */
export function useRemoval(): { ask(documents: Document[], remove: () => void): void; dialog: ReactNode } {
  const { t } = useTranslation('knowledge');
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const ask = (documents: Document[], remove: () => void) =>
    void findBotsOf(
      client,
      documents.map(({ knowledge }) => knowledge),
    ).then(
      (bots) => (bots.length > 0 ? setAsked({ documents, bots, remove }) : remove()),
      (error: unknown) => toast.error(errorText(error)),
    );
  const [first] = asked?.documents ?? [];
  const dialog = asked && (
    <ConfirmDialog
      opened
      title={
        asked.documents.length === 1
          ? t('base.removeTitle', { name: first?.name })
          : t('bulk.removeTitle', { count: asked.documents.length })
      }
      text={t('document.usedBy', { count: asked.bots.length, bots: formatList(asked.bots) })}
      confirm={t('common:delete')}
      cancel={t('common:cancel')}
      onConfirm={() => {
        setAsked(undefined);
        asked.remove();
      }}
      onClose={() => setAsked(undefined)}
    />
  );
  return { ask, dialog };
}
