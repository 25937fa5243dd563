import type { WebChannel } from '../../../shared/contracts/web-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { stateKinds, stateOf } from './state.ts';
import { useWebChannel } from './web-channels.queries.ts';

export function ChannelState({ channel }: { channel: WebChannel }) {
  const { t } = useTranslation('web-channels');
  const state = stateOf(channel);
  return <State kind={stateKinds[state]}>{t(`state.${state}`)}</State>;
}

/** The same for who only knows which channel it is. */
export function ChannelStateOf({ uuid }: { uuid: string }) {
  const channel = useWebChannel(uuid).data;
  return channel && <ChannelState channel={channel} />;
}
