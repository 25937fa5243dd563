import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import classes from './line-channels.module.css';
import { useLineChannel } from './line-channels.queries.ts';
import { managerUrl } from './state.ts';

/** LINE answers beside the bot until somebody switches that off in its own manager, which tells other programs of its chat alone. */
export default function OwnReplies({ channel }: { channel: string }) {
  const { t } = useTranslation('line-channels');
  const chatMode = useLineChannel(channel).data?.chatMode;
  if (!chatMode) return null;
  const isOn = chatMode === 'chat';
  return (
    <Section title={t('ownReplies.title')}>
      <div className={classes['ownReplies']}>
        <State kind={isOn ? 'warning' : 'draft'}>{t(isOn ? 'ownReplies.chat' : 'ownReplies.unseen')}</State>
        <p>{t('ownReplies.why')}</p>
        <Anchor
          href={managerUrl}
          target="_blank"
          rel="noopener noreferrer"
          size="sm"
          className={classes['outside'] ?? ''}
        >
          {t('todo.manager')}
          <IconExternalLink size={14} stroke={1.75} aria-hidden />
        </Anchor>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/Line-Channel/${channel}`} />}>
          {t('todo.show')}
        </Anchor>
      </div>
    </Section>
  );
}
