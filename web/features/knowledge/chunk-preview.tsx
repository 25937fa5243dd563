import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Chunking, knowledge } from '../../../shared/contracts/knowledge.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ChunkText } from './chunk-text.tsx';
import { PassageSkeletons } from './skeletons.tsx';
import classes from './knowledge.module.css';
import { useChunkPreview, type PreviewOf } from './knowledge.queries.ts';

interface Props {
  base: string;
  chunking: Chunking;
  of: PreviewOf;
  /** Not while another preview is on its way: the server gives up the older of a person's two. */
  isReady?: boolean;
}

const asItIs = (text: string) => text;

const settleMs = 400;

/** What settings make of a document or a text, asked as soon as they stay as they are. */
function useSettledPreview({ base, chunking, of, isReady = true }: Props) {
  const asked = JSON.stringify({ chunking, of });
  const [settled] = useDebouncedValue(asked, settleMs);
  return useChunkPreview(base, { chunking, of }, isReady && asked === settled);
}

interface EffectProps extends Props {
  name: string;
  /** What the settings make of it that are saved. */
  before: ReplyOf<typeof knowledge.preview>;
}

/** What a change makes of a document, in one line. */
export function ChunkEffect({ name, before, ...asked }: EffectProps) {
  const { t } = useTranslation('knowledge');
  const { data: after, isError } = useSettledPreview(asked);
  if (!after || isError) return null;
  const [from, count] = [before.meta.total, after.meta.total];
  const bordersOf = ({ data }: typeof after) => JSON.stringify(data.map(({ text }) => text));
  const change = from !== count ? 'effect' : bordersOf(before) !== bordersOf(after) ? 'effectMoved' : 'effectNone';
  return (
    <p className={classes['effect']} role="status" data-none={change === 'effectNone' || undefined}>
      {t(`settings.${change}`, { name, from: formatNumber(from), count })}
    </p>
  );
}

/** How a document or a text would be divided by these settings, as they are changed. */
export function ChunkPreview(asked: Props) {
  const { t } = useTranslation('knowledge');
  const preview = useSettledPreview(asked);
  if (preview.isError) return <Alert color="red">{errorText(preview.error)}</Alert>;
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
            <ChunkText text={text} words="" mark={asItIs} />
          </li>
        ))}
      </ol>
    </div>
  );
}
