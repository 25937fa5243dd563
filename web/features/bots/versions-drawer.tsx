import { Badge, Button, Card, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconArrowLeft, IconGitCompare } from '@tabler/icons-react';
import { useState } from 'react';
import type { Bot, BotVersion } from '../../../shared/contracts/bots.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useServices } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Drawer } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBotKnowledges, useRestoreVersion, useVersion, useVersions } from './bots.queries.ts';
import { DiffView } from './diff-view.tsx';

const draft = 'draft';

interface Props {
  bot: Bot;
  /** Whether the draft on the screen is the one that is stored. */
  isSaved: boolean;
  onClose(): void;
  /** The draft is another one now; the first is what it was. */
  onRestored(before: Bot['draft'], after: Bot, message: string): void;
}

/** What was published, how each differs from the draft or from another, and the way back to one. */
export function VersionsDrawer({ bot, isSaved, onClose, onRestored }: Props) {
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
    <Drawer opened onClose={onClose} position="right" size="lg" title={t('versions.title')}>
      {compared ? (
        <Comparison bot={bot} version={compared} versions={rows ?? []} onBack={() => setCompared(undefined)} />
      ) : (
        <PagedList
          query={{ ...versions, data: rows }}
          labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
          empty={<Text c="dimmed">{t('versions.empty')}</Text>}
        >
          {(shown) => (
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {shown.map((version) => (
                <Card key={version.uuid} component="li" withBorder padding="sm">
                  <Group gap="xs">
                    <Text fw={600}>{t('versions.number', { number: version.number })}</Text>
                    {version.current && <Badge variant="light">{t('versions.current')}</Badge>}
                  </Group>
                  <Text size="xs" c="dimmed" title={formatMoment(version.publishedAt)}>
                    {t('versions.by', {
                      name: version.publisher ?? t('versions.unknownPublisher'),
                      when: formatAgo(version.publishedAt),
                    })}
                  </Text>
                  {version.note && (
                    <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                      {version.note}
                    </Text>
                  )}
                  <Group gap="xs" mt="xs">
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconGitCompare size={15} />}
                      onClick={() => setCompared(version)}
                    >
                      {t('versions.show')}
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconArrowBackUp size={15} />}
                      disabled={!isSaved}
                      title={isSaved ? undefined : t('versions.waiting')}
                      onClick={() => setRestoring(version)}
                    >
                      {t('versions.restore')}
                    </Button>
                  </Group>
                </Card>
              ))}
            </Stack>
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
    </Drawer>
  );
}

function Comparison({
  bot,
  version,
  versions,
  onBack,
}: {
  bot: Bot;
  version: BotVersion;
  versions: BotVersion[];
  onBack(): void;
}) {
  const { t } = useTranslation('bots-editor');
  const [other, setOther] = useState(draft);
  const services = useServices();
  const bases = useBotKnowledges();
  const one = useVersion(bot.uuid, version.uuid);
  const two = useVersion(bot.uuid, other === draft ? undefined : other);
  const after = other === draft ? bot.draft : two.data?.config;
  const failed = one.error ?? (other === draft ? null : two.error);
  const names = {
    service: (uuid: string) => services.find((each) => each.uuid === uuid)?.name ?? t('model.gone'),
    knowledge: (uuid: string) => bases.data?.find((base) => base.uuid === uuid)?.name ?? t('knowledge.gone'),
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Button size="compact-sm" variant="subtle" leftSection={<IconArrowLeft size={15} />} onClick={onBack}>
          {t('versions.back')}
        </Button>
        <Group gap="xs">
          <Text size="sm">{t('versions.number', { number: version.number })} →</Text>
          <Select
            size="xs"
            w={170}
            aria-label={t('diff.to')}
            value={other}
            allowDeselect={false}
            onChange={(value) => setOther(value ?? draft)}
            data={[
              { value: draft, label: t('diff.draft') },
              ...versions
                .filter(({ uuid }) => uuid !== version.uuid)
                .map(({ uuid, number }) => ({ value: uuid, label: t('versions.number', { number }) })),
            ]}
          />
        </Group>
      </Group>
      {failed ? (
        <ErrorState
          title={t('common:failed.title')}
          text={failed.message}
          retry={t('common:retry')}
          onRetry={() => void Promise.all([one.refetch(), other !== draft && two.refetch()])}
        />
      ) : one.data && after && !bases.isPending ? (
        <DiffView before={one.data.config} after={after} names={names} />
      ) : (
        <Loader size="sm" />
      )}
    </Stack>
  );
}
