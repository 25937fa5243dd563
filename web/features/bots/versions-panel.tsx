import { Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconArrowLeft, IconGitCompare } from '@tabler/icons-react';
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
import classes from './bots.module.css';
import { useBotKnowledges, useRestoreVersion, useVersion, useVersions } from './bots.queries.ts';
import { DiffView } from './diff-view.tsx';

const draft = 'draft';
const nothing = 'nothing';

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
  const [compared, setCompared] = useState<BotVersion>();
  const [restoring, setRestoring] = useState<BotVersion>();
  const restore = useRestoreVersion(bot.uuid);
  const rows = versions.data?.pages.flatMap(({ data }) => data);
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
        <Comparison bot={bot} version={compared} onBack={() => setCompared(undefined)} />
      ) : (
        <PagedList
          query={{ ...versions, data: rows }}
          labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
          empty={<Text c="dimmed">{t('versions.empty')}</Text>}
        >
          {(shown) => (
            <ul className={classes['rows']}>
              {shown.map((version) => (
                <li key={version.uuid}>
                  <Group gap="sm">
                    <Text size="sm" fw={600}>
                      {t('versions.number', { number: version.number })}
                    </Text>
                    {version.current && <State kind="live">{t('versions.current')}</State>}
                    <Text size="xs" c="dimmed" ml="auto" title={formatMoment(version.publishedAt)}>
                      {t('versions.by', {
                        name: version.publisher ?? t('versions.unknownPublisher'),
                        when: formatAgo(version.publishedAt),
                      })}
                    </Text>
                  </Group>
                  {version.note && (
                    <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                      {version.note}
                    </Text>
                  )}
                  <Group gap="xs" mt={6}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconGitCompare size={14} />}
                      onClick={() => setCompared(version)}
                    >
                      {t('versions.show')}
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="gray"
                      leftSection={<IconArrowBackUp size={14} />}
                      disabled={!isSaved}
                      title={isSaved ? undefined : t('versions.waiting')}
                      onClick={() => setRestoring(version)}
                    >
                      {t('versions.restore')}
                    </Button>
                  </Group>
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
function Comparison({ bot, version, onBack }: { bot: Bot; version: BotVersion; onBack(): void }) {
  const { t } = useTranslation('bots-editor');
  const [chosen, setChosen] = useState<string>();
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
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconArrowLeft size={14} />}
        onClick={onBack}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('versions.back')}
      </Button>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {t('versions.number', { number: version.number })}
        </Text>
        <Select
          size="xs"
          w={220}
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
      </Group>
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
