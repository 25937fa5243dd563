import { IconUsers } from '@tabler/icons-react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { State } from '../../ui/page.tsx';
import table from '../../ui/table.module.css';
import classes from './line-channels.module.css';
import { useLineChannel } from './line-channels.queries.ts';
import { stateOf } from './state.ts';

/** Which bot answers, or people only. */
export function Answering({ channel: { bot } }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  return (
    <span className={classes['bot']}>
      {bot ? (
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
      ) : (
        <IconUsers size={16} stroke={1.75} aria-hidden />
      )}
      <span className={table['one']} title={bot?.name}>
        {bot?.name ?? t('bot.none')}
      </span>
    </span>
  );
}

export function ChannelState({ channel }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  const { kind, text } = stateOf(channel);
  return <State kind={kind}>{t(text)}</State>;
}

/** The same for who only knows which channel it is. */
export function ChannelStateOf({ uuid }: { uuid: string }) {
  const channel = useLineChannel(uuid).data;
  return channel && <ChannelState channel={channel} />;
}
