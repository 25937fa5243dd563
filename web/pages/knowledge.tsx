import { Button, Group, Tabs } from '@mantine/core';
import { IconMessageChatbot, IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Knowledge } from '../../shared/contracts/knowledge.ts';
import { formatBytes, formatNumber } from '../lib/format.ts';
import { useTranslation } from '../lib/i18n.ts';
import { BaseMenu, useOpenBotFrom } from '../features/knowledge/base-actions.tsx';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { Documents, useDocumentList } from '../features/knowledge/documents.tsx';
import {
  ChooseFiles,
  DropAnywhere,
  FilePicker,
  UploadResults,
  useIsTouch,
  useUploads,
} from '../features/knowledge/file-drop.tsx';
import { BotMarks } from '../features/knowledge/knowledge-list.tsx';
import classes from '../features/knowledge/knowledge.module.css';
import { useKnowledge, useLiveDocuments } from '../features/knowledge/knowledge.queries.ts';
import { cutTo, maxLengths } from '../features/knowledge/pairs.ts';
import { SearchTest } from '../features/knowledge/search-test.tsx';
import { WebsiteList } from '../features/knowledge/website-list.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

const BaseSettings = later(async () => (await import('../features/knowledge/base-settings.tsx')).BaseSettings);

const route = getRouteApi('/app/Knowledge/$id/documents');

export default function KnowledgePage() {
  const { t } = useTranslation('knowledge');
  const { id } = route.useParams();
  const { tab = 'documents', q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const base = useKnowledge(id);
  const canEdit = useMay('edit');
  useLiveDocuments();
  useTitle(base.data?.name);
  if (base.isError) return <RootErrorPage error={base.error} />;
  return (
    <Page
      above={<Crumbs />}
      title={base.data?.name ?? t('common:page.knowledges')}
      {...(base.data && { heading: <span className={classes['twoLines']}>{base.data.name}</span> })}
      facts={base.data && <Facts base={base.data} />}
      actions={base.data && <Actions base={base.data} canEdit={canEdit} tab={tab} />}
    >
      <Tabs
        value={tab}
        // What was asked is there again where somebody comes back to it.
        onChange={(to) =>
          to && void navigate({ search: { ...(to !== 'documents' && { tab: to }), ...(q && { q }) }, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="documents">
            {t('tabs.documents')}{' '}
            {!!base.data?.documentCount && (
              <span className={classes['count']}>{formatNumber(base.data.documentCount)}</span>
            )}
          </Tabs.Tab>
          <Tabs.Tab value="test">{t('tabs.test')}</Tabs.Tab>
          {canEdit && <Tabs.Tab value="settings">{t('tabs.settings')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="documents">
          <BaseDocuments id={id} base={base.data} />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          {base.data && (
            <SearchTest
              base={base.data}
              asked={cutTo(q.trim(), maxLengths.question)}
              onAsk={(question) => void navigate({ search: { tab: 'test', q: question } })}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          {base.data && (
            <BaseSettings
              key={base.data.uuid}
              base={base.data}
              onFail={() => void navigate({ search: {}, replace: true })}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Facts({ base }: { base: Knowledge }) {
  const { t } = useTranslation('knowledge');
  return [
    t('list.documents', { count: base.documentCount }),
    t('document.chunks', { count: base.chunkCount }),
    formatBytes(base.bytes),
  ].join(t('common:dot'));
}

interface ActionsProps {
  base: Knowledge;
  canEdit: boolean;
  /** The documents say on the page how to add the first; the others have a filled button of their own. */
  tab: string;
}

function Actions({ base, canEdit, tab }: ActionsProps) {
  const { t } = useTranslation('knowledge');
  const navigate = route.useNavigate();
  const bot = useOpenBotFrom(base);
  return (
    <>
      <span className={classes['wide']}>
        <BotMarks bots={base.bots} />
      </span>
      {canEdit && base.documentCount > 0 && (
        <Button
          className={classes['wide'] ?? ''}
          variant="default"
          leftSection={<IconMessageChatbot size={16} />}
          loading={bot.isPending}
          onClick={bot.open}
        >
          {t('base.createBot')}
        </Button>
      )}
      <BaseMenu base={base} onRemoved={() => void navigate({ to: '/Knowledge' })} />
      {canEdit && !(tab === 'documents' && base.documentCount === 0) && (
        <Button
          component={Link}
          to={`/Knowledge/${base.uuid}/documents/Create`}
          variant={tab === 'documents' ? 'filled' : 'default'}
          leftSection={<IconPlus size={16} />}
        >
          <span className={classes['wide']}>{t('documents.add')}</span>
          <span className={classes['narrow']}>{t('documents.addShort')}</span>
        </Button>
      )}
    </>
  );
}

function BaseDocuments({ id, base }: { id: string; base: Knowledge | undefined }) {
  const { t } = useTranslation('knowledge');
  const list = useDocumentList(id);
  const { uploads, send, retry, dismiss, dialog } = useUploads(id);
  const isTouch = useIsTouch();
  const canEdit = useMay('edit');
  return (
    <>
      {base?.description && <p className={classes['description']}>{base.description}</p>}
      <UploadResults uploads={uploads} documents={list.documents} onRetry={retry} onDismiss={dismiss} />
      <WebsiteList base={id} />
      <Documents
        list={list}
        counts={
          base ? { all: base.documentCount, busy: base.busyCount, problem: base.failedCount + base.warningCount } : {}
        }
        empty={
          <EmptyState
            drawing="documents"
            title={t('documents.empty')}
            text={
              canEdit ? t(isTouch ? 'documents.emptyTouch' : 'documents.emptyText') : t('documents.emptyForReaders')
            }
            action={
              canEdit && (
                <Group gap="xs" justify="center">
                  <ChooseFiles onFiles={send} />
                  <Button component={Link} to={`/Knowledge/${id}/documents/Create`} mt="xs" variant="default">
                    {t('documents.addOther')}
                  </Button>
                </Group>
              )
            }
          />
        }
        after={canEdit && <FilePicker onFiles={send} />}
      />
      {canEdit && <DropAnywhere into={base?.name ?? ''} onFiles={send} />}
      {dialog}
    </>
  );
}
