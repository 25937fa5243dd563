import { Button, Loader, Select, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconArrowsDiff, IconRestore } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { emptyConfig, type Bot, type BotVersion } from '../../../shared/contracts/bots.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { useServices } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './versions.module.css';
import { useBotKnowledges, useRestoreVersion, useVersion, useVersions } from './bots.queries.ts';
import { DiffView } from './diff-view.tsx';

const draft = 'draft';
const nothing = 'nothing';
const act = { size: 'xs', variant: 'default' } as const;

interface Props {
  bot: Bot;
  /** Whether the draft on the screen is the one that is stored. */
  isSaved: boolean;
  onClose(): void;
  /** The draft is another one now; the first is what it was. */
  onRestored(before: Bot['draft'], after: Bot, message: string): void;
}

/** What was published, how each differs from the draft or from another, and the way back to one. */
export function VersionsPanel({ bot, isSaved, onClose, onRestored }: Props) {
  const { t } = useTranslation('bots-editor');
  const versions = useVersions(bot.uuid);
  const [compared, setCompared] = useState<BotVersion | typeof draft>();
  const [restoring, setRestoring] = useState<BotVersion>();
  const restore = useRestoreVersion(bot.uuid);
  const rows = versions.data?.pages.flatMap(({ data }) => data);
  const confirm = () => {
    if (!restoring) return;
    const before = bot.draft;
    restore.mutate(restoring.uuid, {
      onError: (error) => toast.error(errorText(error)),
      onSuccess: (after) => {
        onRestored(before, after, t('versions.restored', { number: restoring.number }));
        onClose();
      },
      onSettled: () => setRestoring(undefined),
    });
  };
  return (
    <SidePanel opened tall onClose={onClose} title={t('versions.title')}>
      {compared ? (
        <Comparison bot={bot} shown={compared} onBack={() => setCompared(undefined)} />
      ) : (
        <PagedList
          query={{ ...versions, data: rows }}
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={<Text c="dimmed">{t('versions.empty')}</Text>}
        >
          {(shown) => (
            <ul className={classes['versions']}>
              {bot.changed && bot.published && (
                <li>
                  <div className={classes['version']}>
                    <b>{t('diff.draft')}</b>
                    <State kind="warning">{t('versions.unpublished')}</State>
                  </div>
                  <div className={classes['acts']}>
                    <Show onClick={() => setCompared(draft)} />
                  </div>
                </li>
              )}
              {shown.map((version) => (
                <li key={version.uuid}>
                  <div className={classes['version']}>
                    <b>{t('versions.number', { number: version.number })}</b>
                    {version.current && <State kind="live">{t('versions.current')}</State>}
                    <span className={classes['facts']}>
                      <span>{version.publisher ?? t('versions.unknownPublisher')}</span>
                      <span aria-hidden>·</span>
                      <time dateTime={version.publishedAt} title={formatMoment(version.publishedAt)}>
                        {formatAgo(version.publishedAt)}
                      </time>
                    </span>
                  </div>
                  {version.note && <p>{version.note}</p>}
                  <div className={classes['acts']}>
                    <Show onClick={() => setCompared(version)} />
                    <Button
                      {...act}
                      leftSection={<IconRestore size={14} />}
                      onClick={() => (isSaved ? setRestoring(version) : toast.error(t('versions.waiting')))}
                    >
                      {t('versions.restore')}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      )}
      <ConfirmDialog
        opened={restoring !== undefined}
        title={t('versions.restoreTitle', { number: restoring?.number ?? 0 })}
        text={t('versions.restoreText')}
        confirm={t('versions.restore')}
        cancel={t('common:cancel')}
        loading={restore.isPending}
        onConfirm={confirm}
        onClose={() => setRestoring(undefined)}
      />
    </SidePanel>
  );
}

function Show({ onClick }: { onClick(): void }) {
  const { t } = useTranslation('bots-editor');
  return (
    <Button {...act} leftSection={<IconArrowsDiff size={14} />} onClick={onClick}>
      {t('versions.show')}
    </Button>
  );
}

/** What a version or the draft changed: beside what was published before it, or another that is chosen. The newer adds. */
function Comparison({ bot, shown, onBack }: { bot: Bot; shown: BotVersion | typeof draft; onBack(): void }) {
  const { t } = useTranslation('bots-editor');
  const [chosen, setChosen] = useState<string>();
  const services = useServices();
  const bases = useBotKnowledges();
  const versions = useVersions(bot.uuid);
  const rows = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  const former =
    shown === draft ? rows.find(({ current }) => current) : rows.find(({ number }) => number < shown.number);
  // The one before it may be on the next page of the list.
  const isLate = former === undefined && versions.hasNextPage;
  const { fetchNextPage } = versions;
  useEffect(() => {
    if (isLate) void fetchNextPage();
  }, [isLate, fetchNextPage]);
  const id = shown === draft ? draft : shown.uuid;
  const other = chosen ?? former?.uuid ?? nothing;
  /** Nothing is older than every version, and the draft newer. */
  const ageOf = (each: string) =>
    each === draft ? Infinity : each === nothing ? 0 : (rows.find(({ uuid }) => uuid === each)?.number ?? 0);
  const [older, newer] = ageOf(other) > ageOf(id) ? [id, other] : [other, id];
  const before = useConfig(bot, older);
  const after = useConfig(bot, newer);
  const failed = before.error ?? after.error ?? (isLate ? versions.error : null);
  const names = {
    service: (uuid: string) => modelName(services.find((each) => each.uuid === uuid)?.name ?? t('model.gone')),
    knowledge: (uuid: string) => bases.data?.find((base) => base.uuid === uuid)?.name ?? t('knowledge.gone'),
  };
  return (
    <Stack>
      <div>
        <Button
          {...act}
          variant="subtle"
          color="gray"
          ml={-8}
          leftSection={<IconArrowLeft size={14} />}
          onClick={onBack}
        >
          {t('versions.back')}
        </Button>
        {!isLate && (
          <div className={classes['pair']} data-newer-chosen={newer === other || undefined}>
            <Select
              size="xs"
              aria-label={t('diff.with')}
              value={other}
              allowDeselect={false}
              onChange={(value) => setChosen(value ?? undefined)}
              data={[
                { value: draft, label: t('diff.draft') },
                ...rows.map(({ uuid, number }) => ({ value: uuid, label: t('versions.number', { number }) })),
                { value: nothing, label: t('diff.empty') },
              ].filter(({ value }) => value !== id)}
            />
            <IconArrowRight size={16} aria-hidden />
            <h3>{shown === draft ? t('diff.draft') : t('versions.number', { number: shown.number })}</h3>
          </div>
        )}
      </div>
      {failed ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(failed)}
          retry={t('common:retry')}
          onRetry={() => void Promise.all([before.refetch(), after.refetch()])}
        />
      ) : before.config && after.config && !isLate && !bases.isPending ? (
        <DiffView before={before.config} after={after.config} names={names} />
      ) : (
        <Loader size="sm" />
      )}
    </Stack>
  );
}

/** What the draft, a version or nothing says. */
function useConfig(bot: Bot, which: string) {
  const isStored = which !== draft && which !== nothing;
  const { data, error, refetch } = useVersion(bot.uuid, isStored ? which : undefined);
  const config = which === draft ? bot.draft : which === nothing ? emptyConfig : data?.config;
  return { config, error: isStored ? error : null, refetch: async () => void (isStored && (await refetch())) };
}
