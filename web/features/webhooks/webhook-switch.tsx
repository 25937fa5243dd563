import { Switch, type SwitchProps } from '@mantine/core';
import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast.tsx';
import { useUpdateWebhook } from './webhooks.queries.ts';

interface Props extends Pick<SwitchProps, 'label' | 'description' | 'aria-label' | 'style'> {
  webhook: OutgoingWebhook;
}

/** Turns an address on or off, which can be undone for a while. */
export function WebhookSwitch({ webhook: { uuid, url, active }, ...looks }: Props) {
  const { t } = useTranslation('webhooks');
  const update = useUpdateWebhook();
  const turn = (next: boolean) =>
    update.mutate(
      { uuid, active: next },
      {
        onSuccess: () =>
          toast.undo(t(next ? 'list.turnedOn' : 'list.turnedOff', { url: addressOf(url) }), t('common:undo'), () =>
            turn(!next),
          ),
        onError: (error) => toast.error(errorText(error)),
      },
    );
  return (
    <Switch
      {...looks}
      checked={update.isPending ? !active : active}
      disabled={update.isPending}
      onChange={() => turn(!active)}
    />
  );
}

/** An address as it is read; that it begins with https goes without saying. */
export const addressOf = (url: string): string => url.replace(/^https?:\/\//, '');
