import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { WebhookDelivery } from '../../../shared/contracts/webhooks.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatWait } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { answerOf } from './answers.ts';
import { reasonInShort } from './webhook-list.tsx';
import classes from './webhooks.module.css';
import { useDeliveries, type useTestWebhook } from './webhooks.queries.ts';

interface Props {
  webhook: string;
  /** Lives above, since the button moves when the address begins to fail. */
  test: ReturnType<typeof useTestWebhook>;
}

/** Sends a test, and says beside it what came of it. */
export function TestButton({ webhook, test }: Props) {
  const { t } = useTranslation('webhooks');
  const log = useDeliveries(webhook, {}).data;
  const delivery = log?.find(({ uuid }) => uuid === test.data?.uuid) ?? test.data;
  return (
    <div className={classes['test']}>
      <div role="status">{delivery && !test.isPending && <Outcome delivery={delivery} />}</div>
      {/* On a phone its picture stands alone in the bar. */}
      <Button
        variant="default"
        aria-label={t('detail.test')}
        leftSection={<IconSend size={16} />}
        loading={test.isPending}
        onClick={() => test.mutate(webhook, { onError: (error) => toast.error(errorText(error)) })}
      >
        {t('detail.test')}
      </Button>
    </div>
  );
}

function Outcome({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks');
  if (delivery.attempts === 0) return <State kind="working">{t('detail.testing')}</State>;
  const answer = answerIn(t, delivery);
  return delivery.state === 'sent' ? (
    <State kind="live">{t('detail.testTaken', { answer })}</State>
  ) : (
    <State kind="failed">{t('detail.testFailed', { answer })}</State>
  );
}

const answerIn = (t: Translate<'webhooks'>, { status, error, tookMs }: WebhookDelivery) =>
  [
    status === null ? reasonInShort(t, error ?? '') : answerOf(status),
    ...(tookMs === null ? [] : [formatWait(tookMs)]),
  ].join(t('common:dot'));
