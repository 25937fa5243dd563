import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import classes from './connections.module.css';

/** Which kind of channel it is, with its picture. */
export function ChannelName({ kind }: { kind: ChannelKind }) {
  const { t } = useTranslation('connections');
  return (
    <span className={classes['kind']}>
      <ChannelIcon kind={kind} size={14} />
      {t(`channel.${kind}`)}
    </span>
  );
}

/** The name of a connection over what it is, where nothing else beside it says that. */
export function NameOnPhone({ name, kind }: { name: string; kind: ChannelKind }) {
  return (
    <span className={classes['head']}>
      <span>{name}</span>
      <ChannelName kind={kind} />
    </span>
  );
}
