import { ActionIcon, Menu, Tabs } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Page, State } from '../../ui/page.tsx';
import bar from '../../ui/part-tabs.module.css';
import { toast } from '../../ui/toast.tsx';
import type { ContentParts } from './content-parts.ts';
import { Enrolments } from './enrolments.tsx';
import classes from './line-campaigns.module.css';
import { useRemoveScenario } from './line-campaigns.queries.ts';
import { StepEditor } from './step-editor.tsx';

const tabs = ['steps', 'people'] as const;
type Tab = (typeof tabs)[number];

interface Props {
  channel: { uuid: string; name: string; active: boolean; settings: { greeting: unknown[] } };
  scenario: StepScenario;
  parts: ContentParts;
  tab: string | undefined;
  onTab(tab: Tab): void;
}

/** Step messages: what is sent when, and who is on their way through it. */
export function StepPage({ channel, scenario, parts, tab, onTab }: Props) {
  const { t } = useTranslation('line-campaigns');
  const navigate = useNavigate();
  const mayChange = useMay('edit');
  const mayConverse = useMay('converse');
  const shown = tabs.filter((each) => each !== 'people' || mayConverse);
  const remove = useRemoveScenario(channel.uuid);
  const [isDeleting, setIsDeleting] = useState(false);
  const { uuid, name, active, people } = scenario;
  return (
    <Page
      title={name}
      above={
        <>
          <Link to="/Line-Channel/$id" params={{ id: channel.uuid }} search={{ tab: 'steps' }}>
            {channel.name}
          </Link>
          <span aria-hidden>/</span>
        </>
      }
      facts={
        <State kind={!active ? 'off' : channel.active ? 'live' : 'warning'}>
          {t(!active ? 'steps.off' : channel.active ? 'steps.on' : 'state.off')}
        </State>
      }
      actions={
        mayChange && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t('scenario.menu')}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => setIsDeleting(true)}>
                {t('scenario.delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )
      }
      width="full"
    >
      <div>
        <Tabs
          value={shown.find((each) => each === tab) ?? 'steps'}
          onChange={(next) => onTab(shown.find((each) => each === next) ?? 'steps')}
          keepMounted={false}
        >
          <Tabs.List className={bar['bar'] ?? ''}>
            <Tabs.Tab value="steps">{t('scenario.steps')}</Tabs.Tab>
            {mayConverse && (
              <Tabs.Tab value="people">
                {t('enrolment.tab', { count: formatNumber(people.active + people.done + people.stopped) })}
              </Tabs.Tab>
            )}
          </Tabs.List>
          {active && !channel.active && (
            <p className={classes['waits']} role="status">
              {t('scenario.channelOff')}
            </p>
          )}
          <Tabs.Panel value="steps" className={classes['panel'] ?? ''}>
            <StepEditor channel={channel} scenario={scenario} parts={parts} />
          </Tabs.Panel>
          <Tabs.Panel value="people" className={classes['panel'] ?? ''}>
            <Enrolments scenario={scenario} isWaiting={!channel.active} />
          </Tabs.Panel>
        </Tabs>
      </div>
      <ConfirmDialog
        opened={isDeleting}
        title={t('scenario.deleteTitle', { name })}
        text={t('scenario.deleteText')}
        confirm={t('scenario.delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(uuid, {
            onSuccess: () =>
              void navigate({ to: '/Line-Channel/$id', params: { id: channel.uuid }, search: { tab: 'steps' } }),
            onError: (error) => toast.error(errorText(error)),
          })
        }
        onClose={() => setIsDeleting(false)}
      />
    </Page>
  );
}
