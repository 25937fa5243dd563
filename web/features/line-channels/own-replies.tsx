import { Anchor, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useKept } from '../../lib/preferences.ts';
import { State } from '../../ui/page.tsx';
import classes from './line-channels.module.css';
import { useKnownLineChannel, useLineChannelOfAll } from './line-channels.queries.ts';
import { managerUrl } from './state.ts';

/** Shows it while the account may answer beside its bot, which is told where it is opened. */
export function IfOwnReplies({ channel, children }: { channel: string; children: ReactNode }) {
  const { isTold } = useOwnReplies(channel, useLineChannelOfAll(channel).data);
  return isTold ? children : null;
}

function useOwnReplies(channel: string, account: Pick<LineChannel, 'chatMode'> | undefined) {
  const [checked, setChecked] = useKept(`ownReplies:${channel}`, ['no', 'yes']);
  const isOn = account?.chatMode === 'chat';
  return { isOn, isTold: Boolean(account?.chatMode) && (isOn || checked === 'no'), setChecked };
}

/**
 * LINE answers beside the bot until somebody switches that off in its own manager. It tells other programs of its chat
 * alone: of the rest, whoever has looked says so here.
 */
export default function OwnReplies({ channel }: { channel: string }) {
  const { t } = useTranslation('line-channels');
  const { isOn, isTold, setChecked } = useOwnReplies(channel, useKnownLineChannel(channel).data);
  if (!isTold) return null;
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
