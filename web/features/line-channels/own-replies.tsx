import { Anchor, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useKept } from '../../lib/preferences.ts';
import { State } from '../../ui/page.tsx';
import classes from './line-channels.module.css';
import { useKnownLineChannel } from './line-channels.queries.ts';
import { managerUrl } from './state.ts';

/**
 * LINE answers beside the bot until somebody switches that off in its own manager. It tells other programs of its chat
 * alone: of the rest, whoever has looked says so here.
 */
export default function OwnReplies({ channel }: { channel: string }) {
  const { t } = useTranslation('line-channels');
  const [checked, setChecked] = useKept(`ownReplies:${channel}`, ['no', 'yes']);
  const { chatMode } = useKnownLineChannel(channel).data;
  const isOn = chatMode === 'chat';
  if (!chatMode || (!isOn && checked === 'yes')) return null;
  return (
    <div className={classes['ownReplies']} role={isOn ? 'alert' : 'note'}>
      <div>
        <State kind="warning">{t(isOn ? 'ownReplies.chat' : 'ownReplies.unseen')}</State>
        <p>{t(isOn ? 'ownReplies.whyChat' : 'ownReplies.why')}</p>
      </div>
      <div>
        <Button
          size="xs"
          variant="default"
          component="a"
          href={managerUrl}
          target="_blank"
          rel="noopener noreferrer"
          rightSection={<IconExternalLink size={14} stroke={1.75} aria-hidden />}
        >
          {t('ownReplies.open')}
        </Button>
        {isOn ? (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/Line-Channel/${channel}`} />}>
            {t('todo.show')}
          </Anchor>
        ) : (
          <Button size="xs" variant="default" onClick={() => setChecked('yes')}>
            {t('ownReplies.done')}
          </Button>
        )}
      </div>
    </div>
  );
}
