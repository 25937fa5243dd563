import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Chunking } from '../../../shared/contracts/knowledge.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { PassageSkeletons } from './skeletons.tsx';
import classes from './knowledge.module.css';
import { useChunkPreview, type PreviewOf } from './knowledge.queries.ts';

interface Props {
  base: string;
  chunking: Chunking;
  of: PreviewOf;
}

const settleMs = 400;

/** How a document or a text would be divided by these settings, as they are changed. */
export function ChunkPreview({ base, chunking, of }: Props) {
  const { t } = useTranslation('knowledge');
  const asked = JSON.stringify({ chunking, of });
  const [settled] = useDebouncedValue(asked, settleMs);
  const preview = useChunkPreview(base, { chunking, of }, asked === settled);
  if (preview.isError) return <Alert color="red">{preview.error.message}</Alert>;
  if (!preview.data) return <PassageSkeletons />;
  const { data: chunks, meta } = preview.data;
  const characters = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
  return (
    <div aria-live="polite" aria-busy={preview.isFetching}>
      <p className={classes['hint']}>
        {t('settings.previewTotal', {
          count: meta.total,
          characters: formatNumber(Math.round(characters / Math.max(1, chunks.length))),
        })}
        {meta.total > chunks.length && ` ${t('settings.previewFirst', { count: chunks.length })}`}
      </p>
      <ol className={classes['previewed']} tabIndex={0} aria-label={t('settings.preview')}>
        {chunks.map(({ position, headings, page, text }) => (
          <li key={position}>
            <header>
              <span>{position + 1}</span>
              <span>{[...(page === null ? [] : [t('chunks.page', { page })]), ...headings].join(' › ')}</span>
              <span>{t('text.characters', { count: formatNumber(text.length) })}</span>
            </header>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
