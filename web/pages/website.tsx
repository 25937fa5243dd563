import { Button, Group, SegmentedControl, Tabs } from '@mantine/core';
import { IconExternalLink, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { pageStates, type Website, type WebsitePage } from '../../shared/contracts/websites.ts';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { useKnowledge } from '../features/knowledge/knowledge.queries.ts';
import knowledge from '../features/knowledge/knowledge.module.css';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { CrawlFields, settingsToSend } from '../features/knowledge/crawl-fields.tsx';
import { WebsiteState } from '../features/knowledge/website-state.tsx';
import classes from '../features/knowledge/websites.module.css';
import {
  useChanges,
  useLiveWebsites,
  useSitePages,
  useWebsite,
  useWebsiteActions,
} from '../features/knowledge/websites.queries.ts';
import { errorText } from '../lib/error-text.ts';
import { formatAgo } from '../lib/format.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Page, rowClass, State, type StateKind } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { EmptyState } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

const route = getRouteApi('/app/Knowledge/$id/websites/$website');

export default function WebsitePageShown() {
  const { t } = useTranslation('websites');
  const { id, website } = route.useParams();
  const { tab = 'pages' } = route.useSearch();
  const navigate = route.useNavigate();
  const base = useKnowledge(id);
  const site = useWebsite(website);
  const canEdit = useMay('edit');
  useLiveWebsites();
  useTitle(site.data?.title || site.data?.url);
  if (site.isError) return <RootErrorPage error={site.error} />;
  return (
    <Page
      above={<Crumbs {...(base.data && { base: base.data })} />}
      title={site.data ? site.data.title || site.data.url : t('title')}
      actions={site.data && <Actions site={site.data} canEdit={canEdit} />}
    >
      {site.data && (
        <p aria-live="polite">
          <WebsiteState site={site.data} />
          {site.data.nextAt && <> {t('nextAt', { when: formatAgo(site.data.nextAt) })}</>}
        </p>
      )}
      {site.data?.isCut && (
        <p>
          <State kind="warning">{t('isCut')}</State>
        </p>
      )}
      <Tabs
        value={tab}
        onChange={(to) => to && void navigate({ search: to === 'pages' ? {} : { tab: to }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="pages">{t('tabs.pages')}</Tabs.Tab>
          <Tabs.Tab value="changes">{t('tabs.changes')}</Tabs.Tab>
          {canEdit && <Tabs.Tab value="settings">{t('tabs.settings')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="pages">
          <Pages base={id} website={website} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <Changes base={id} website={website} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">{site.data && <Settings key={website} site={site.data} />}</Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Actions({ site, canEdit }: { site: Website; canEdit: boolean }) {
  const { t } = useTranslation('websites');
  const { crawl, stop } = useWebsiteActions(site.uuid);
  const onError = (error: unknown) => toast.error(errorText(error));
  return (
    <>
      <Button
        component="a"
        href={site.url}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        color="gray"
        className={knowledge['wide'] ?? ''}
        leftSection={<IconExternalLink size={16} />}
      >
        {t('open')}
      </Button>
      {canEdit && (
        <>
          {site.state === 'crawling' ? (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} />}
              loading={stop.isPending}
              onClick={() => stop.mutate(undefined, { onError })}
            >
              {t('stop')}
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} />}
              loading={crawl.isPending}
              onClick={() => crawl.mutate(undefined, { onError })}
            >
              {t(site.state === 'stopped' ? 'goOn' : 'again')}
            </Button>
          )}
        </>
      )}
    </>
  );
}

const kinds: Record<WebsitePage['state'], StateKind> = {
  waiting: 'draft',
  read: 'live',
  skipped: 'off',
  failed: 'failed',
  gone: 'off',
};

function useListLabels() {
  const { t } = useTranslation('common');
  return { failed: t('failed.title'), reason: errorText, retry: t('retry'), more: t('more') };
}

function Pages({ base, website }: { base: string; website: string }) {
  const { t } = useTranslation('websites');
  const [q, setQ] = useState('');
  const [state, setState] = useState<WebsitePage['state']>();
  const pages = useSitePages(website, { q, state });
  const labels = useListLabels();
  return (
    <>
      <SearchInput value={q} onChange={setQ} label={t('pages.search')} clearLabel={t('common:clear')} />
      <SegmentedControl
        my="sm"
        size="xs"
        value={state ?? 'all'}
        onChange={(value) => setState(pageStates.find((each) => each === value))}
        data={(['all', 'read', 'skipped', 'failed'] as const).map((value) => ({ value, label: t(`pages.${value}`) }))}
      />
      <PagedList
        query={pages}
        labels={labels}
        empty={
          <EmptyState
            drawing="documents"
            title={t(q || state ? 'pages.noneSuch' : 'pages.none')}
            text={t('pages.noneText')}
          />
        }
      >
        {(rows) =>
          rows.map((page) => (
            <div key={page.uuid} className={`${rowClass} ${classes['row']}`}>
              {page.document ? (
                <Link to="/Knowledge/$id/documents/$documentId" params={{ id: base, documentId: page.document }}>
                  {page.title || page.url}
                </Link>
              ) : (
                <span>{page.title || page.url}</span>
              )}
              <small>
                <State kind={kinds[page.state]}>
                  {page.reason ? t(`reason.${page.reason}`) : t(`pages.${page.state}`)}
                </State>
              </small>
              <small>
                <a href={page.url} target="_blank" rel="noreferrer">
                  {page.url}
                </a>
              </small>
            </div>
          ))
        }
      </PagedList>
    </>
  );
}

const changeKinds = { added: 'live', changed: 'warning', removed: 'off' } as const;

function Changes({ base, website }: { base: string; website: string }) {
  const { t } = useTranslation('websites');
  const changes = useChanges(website);
  const labels = useListLabels();
  return (
    <PagedList
      query={changes}
      labels={labels}
      empty={<EmptyState drawing="documents" title={t('changes.none')} text={t('changes.noneText')} />}
    >
      {(rows) =>
        rows.map((change) => (
          <div key={change.uuid} className={`${rowClass} ${classes['row']}`}>
            {change.document && change.kind !== 'removed' ? (
              <Link to="/Knowledge/$id/documents/$documentId" params={{ id: base, documentId: change.document }}>
                {change.title || change.url}
              </Link>
            ) : (
              <span>{change.title || change.url}</span>
            )}
            <small>
              <State kind={changeKinds[change.kind]}>{t(`changes.${change.kind}`)}</State>{' '}
              <time dateTime={change.createdAt}>{formatAgo(change.createdAt)}</time>
            </small>
            {change.lines.length > 0 && (
              <ul className={classes['lines']}>
                {change.lines.map(({ is, text }, at) => (
                  <li key={at} data-is={is}>
                    {is === 'added' ? <ins>{text}</ins> : is === 'removed' ? <del>{text}</del> : text}
                  </li>
                ))}
              </ul>
            )}
          </div>
        ))
      }
    </PagedList>
  );
}

function Settings({ site }: { site: Website }) {
  const { t } = useTranslation('websites');
  const [value, setValue] = useState(site.settings);
  const { update, remove } = useWebsiteActions(site.uuid);
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const onError = (error: unknown) => toast.error(errorText(error));
  return (
    <form
      style={{ maxWidth: 480 }}
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate(settingsToSend(value), {
          onSuccess: () => toast.success(t('settings.saved')),
          onError,
        });
      }}
    >
      <CrawlFields value={value} onChange={setValue} />
      <Group mt="md">
        <Button type="submit" loading={update.isPending}>
          {t('settings.save')}
        </Button>
        <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={() => setIsAsking(true)}>
          {t('remove')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title={t('removeTitle', { url: site.title || site.url })}
        text={t('removeText')}
        confirm={t('remove')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onError,
            onSuccess: () => void navigate({ to: '/Knowledge/$id/documents', params: { id: site.knowledge } }),
          })
        }
        onClose={() => setIsAsking(false)}
      />
    </form>
  );
}
