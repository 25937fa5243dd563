import { Button, Loader, Select, Stack, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { emptyConfig, type Bot, type BotVersion } from '../../../shared/contracts/bots.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
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

/** A version, and what it was opened beside. */
interface Compared {
  version: BotVersion;
  with?: string;
}

const quiet = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const;

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
  const [compared, setCompared] = useState<Compared>();
  const [restoring, setRestoring] = useState<BotVersion>();
  const restore = useRestoreVersion(bot.uuid);
  const rows = versions.data?.pages.flatMap(({ data }) => data);
  const showDraft = (shown: BotVersion[]) => {
    const version = shown.find(({ current }) => current);
    if (version) setCompared({ version, with: draft });
  };
  const confirm = () => {
    if (!restoring) return;
    const before = bot.draft;
    restore.mutate(restoring.uuid, {
      onError: (error) => toast.error(error.message),
      onSuccess: (after) => {
        onRestored(before, after, t('versions.restored', { number: restoring.number }));
        onClose();
      },
      onSettled: () => setRestoring(undefined),
    });
  };
  return (
    <SidePanel opened onClose={onClose} title={t('versions.title')}>
      {compared ? (
        <Comparison bot={bot} compared={compared} onBack={() => setCompared(undefined)} />
      ) : (
        <PagedList
          query={{ ...versions, data: rows }}
          labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
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
                  <div className={classes['quiet']}>
                    <Button {...quiet} onClick={() => showDraft(shown)}>
                      {t('versions.show')}
                    </Button>
                  </div>
                </li>
              )}
              {shown.map((version) => (
                <li key={version.uuid}>
                  <div className={classes['version']}>
                    <b>{t('versions.number', { number: version.number })}</b>
                    {version.current && <State kind="live">{t('versions.current')}</State>}
                    <time dateTime={version.publishedAt} title={formatMoment(version.publishedAt)}>
                      {formatAgo(version.publishedAt)}
                    </time>
                  </div>
                  <p>{version.publisher ?? t('versions.unknownPublisher')}</p>
                  {version.note && <p className={classes['said']}>{version.note}</p>}
                  <div className={classes['quiet']}>
                    <Button {...quiet} onClick={() => setCompared({ version })}>
                      {t('versions.show')}
                    </Button>
                    <Button
                      {...quiet}
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

/** What a version changed: beside the one before it, or another that is chosen. The older of the two stands first. */
function Comparison({ bot, compared, onBack }: { bot: Bot; compared: Compared; onBack(): void }) {
  const { t } = useTranslation('bots-editor');
  const { version } = compared;
  const [chosen, setChosen] = useState(compared.with);
  const services = useServices();
  const bases = useBotKnowledges();
  const versions = useVersions(bot.uuid);
  const rows = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  const former = rows.find(({ number }) => number < version.number);
  // The one before it may be on the next page of the list.
  const isLate = former === undefined && versions.hasNextPage;
  const { fetchNextPage } = versions;
  useEffect(() => {
    if (isLate) void fetchNextPage();
  }, [isLate, fetchNextPage]);
  const other = chosen ?? former?.uuid ?? nothing;
  const isStored = other !== draft && other !== nothing;
  const one = useVersion(bot.uuid, version.uuid);
  const two = useVersion(bot.uuid, isStored ? other : undefined);
  const otherConfig = other === draft ? bot.draft : other === nothing ? emptyConfig : two.data?.config;
  const isNewer = other === draft || (rows.find(({ uuid }) => uuid === other)?.number ?? 0) > version.number;
  const failed = one.error ?? (isStored ? two.error : null) ?? (isLate ? versions.error : null);
  const names = {
    service: (uuid: string) => services.find((each) => each.uuid === uuid)?.name ?? t('model.gone'),
    knowledge: (uuid: string) => bases.data?.find((base) => base.uuid === uuid)?.name ?? t('knowledge.gone'),
  };
  const [before, after] = isNewer ? [one.data?.config, otherConfig] : [otherConfig, one.data?.config];
  return (
    <Stack>
      <div>
        <Button {...quiet} ml={-8} leftSection={<IconArrowLeft size={14} />} onClick={onBack}>
          {t('versions.back')}
        </Button>
        <div className={classes['against']}>
          <b>{t('versions.number', { number: version.number })}</b>
          <Select
            size="xs"
            aria-label={t('diff.with')}
            value={other}
            allowDeselect={false}
            onChange={(value) => setChosen(value ?? undefined)}
            data={[
              { value: draft, label: t('diff.withDraft') },
              ...rows
                .filter(({ uuid }) => uuid !== version.uuid)
                .map(({ uuid, number }) => ({ value: uuid, label: t('diff.withVersion', { number }) })),
              { value: nothing, label: t('diff.withNothing') },
            ]}
          />
        </div>
      </div>
      {failed ? (
        <ErrorState
          title={t('common:failed.title')}
          text={failed.message}
          retry={t('common:retry')}
          onRetry={() => void Promise.all([one.refetch(), isStored && two.refetch()])}
        />
      ) : before && after && !isLate && !bases.isPending ? (
        <DiffView before={before} after={after} names={names} />
      ) : (
        <Loader size="sm" />
      )}
    </Stack>
  );
}
