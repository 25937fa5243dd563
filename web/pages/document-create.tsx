import { Button, Tabs } from '@mantine/core';
import { IconFileText, IconMessage2Question, IconTextSize, IconWorld } from '@tabler/icons-react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { useDocumentList } from '../features/knowledge/documents.tsx';
import { FileDrop } from '../features/knowledge/file-drop.tsx';
import classes from '../features/knowledge/knowledge.module.css';
import { useKnowledge, useLiveDocuments } from '../features/knowledge/knowledge.queries.ts';
import { PairsForm } from '../features/knowledge/pairs-form.tsx';
import { TextForm } from '../features/knowledge/text-form.tsx';
import { WebsiteForm } from '../features/knowledge/website-form.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { hasUnsavedWork } from '../lib/unsaved.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';

const route = getRouteApi('/app/Knowledge/$id/documents/Create');

export default function DocumentCreatePage() {
  const { t } = useTranslation('knowledge');
  const { id } = route.useParams();
  const question = route.useSearch().question?.trim();
  const navigate = useNavigate();
  const base = useKnowledge(id);
  const { documents } = useDocumentList(id);
  const [isDone, setIsDone] = useState(false);
  /** How often each form was saved while the other held something: it begins anew. */
  const [saved, setSaved] = useState({ text: 0, pairs: 0 });
  // Whoever came from a question goes back to see it answered.
  const search = question && new URLSearchParams({ tab: 'test', q: question }).toString();
  const back = `/Knowledge/${id}/documents${search ? `?${search}` : ''}`;
  const leaveAfter = (form: keyof typeof saved) => () => {
    if (!hasUnsavedWork()) return void navigate({ to: back });
    setIsDone(true);
    setSaved((before) => ({ ...before, [form]: before[form] + 1 }));
    return toast.success(t('create.stays'));
  };
  useLiveDocuments();
  const title = t(question ? 'create.answer' : 'create.title');
  useTitle(title);
  if (base.isError) return <RootErrorPage error={base.error} />;
  return (
    <Page
      above={<Crumbs {...(base.data && { base: base.data })} />}
      title={title}
      width={question ? 'form' : 'list'}
      actions={
        !question && (
          <Button component={Link} to={back} variant={isDone ? 'filled' : 'default'}>
            <span className={classes['wide']}>{t('create.toDocuments')}</span>
            <span className={classes['narrow']}>{t(isDone ? 'create.done' : 'common:close')}</span>
          </Button>
        )
      }
    >
      {question ? (
        <PairsForm
          base={id}
          asked={question}
          onAdded={() => void navigate({ to: back })}
          onCancel={() => void navigate({ to: back })}
        />
      ) : (
        <Tabs defaultValue="files">
          <Tabs.List mb="md" className={classes['kinds'] ?? ''}>
            <Tabs.Tab value="files" leftSection={<IconFileText size={16} stroke={1.75} />}>
              {t('create.files')}
            </Tabs.Tab>
            <Tabs.Tab value="website" leftSection={<IconWorld size={16} stroke={1.75} />}>
              {t('create.website')}
            </Tabs.Tab>
            <Tabs.Tab value="text" leftSection={<IconTextSize size={16} stroke={1.75} />}>
              {t('create.text')}
            </Tabs.Tab>
            <Tabs.Tab value="pairs" leftSection={<IconMessage2Question size={16} stroke={1.75} />}>
              {t('create.pairs')}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="files">
            <div className={classes['form']}>
              <FileDrop
                base={id}
                into={base.data?.name ?? ''}
                documents={documents}
                onSettled={() => setIsDone(true)}
              />
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="website">
            <WebsiteForm
              base={id}
              onAdded={({ uuid }) =>
                void navigate({ to: '/Knowledge/$id/websites/$website', params: { id, website: uuid } })
              }
            />
          </Tabs.Panel>
          <Tabs.Panel value="text">
            {base.data && <TextForm key={saved.text} base={base.data} onAdded={leaveAfter('text')} />}
          </Tabs.Panel>
          <Tabs.Panel value="pairs">
            <PairsForm key={saved.pairs} base={id} onAdded={leaveAfter('pairs')} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
