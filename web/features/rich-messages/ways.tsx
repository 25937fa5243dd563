import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatList } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { rowClass, Section } from '../../ui/page.tsx';
import classes from './rich-messages.module.css';
import { useRichUses } from './rich-messages.queries.ts';

interface Props {
  message: string;
  channel: { connection: string };
  /** Begins a broadcast that says it. */
  onBroadcast(): void;
  isBusy: boolean;
}

/** Where a stored message goes from here, and what sends it already. */
export function Ways({ message, channel, onBroadcast, isBusy }: Props) {
  const { t } = useTranslation('rich-messages');
  const mayEdit = useMay('edit');
  const uses = useRichUses(message).data ?? [];
  return (
    <div className={classes['ways']}>
      <Section title={t('ways.title')}>
        {mayEdit && (
          <Way hint={t('ways.broadcastHint')} name={t('ways.broadcast')}>
            <Button size="xs" variant="default" loading={isBusy} onClick={onBroadcast}>
              {t('ways.begin')}
            </Button>
          </Way>
        )}
        <Way hint={t('ways.rulesHint')} name={t('ways.rules')}>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link {...props} to="/Bot-Connect/$id" params={{ id: channel.connection }} />}
          >
            {t('ways.open')}
          </Button>
        </Way>
        <p className={classes['hint']} role="status">
          {uses.length > 0 ? t('ways.uses', { names: formatList(uses) }) : t('ways.unused')}
        </p>
      </Section>
    </div>
  );
}

const Way = ({ name, hint, children }: { name: string; hint: string; children: ReactNode }) => (
  <div className={rowClass}>
    <div>
      <b>{name}</b>
      <small>{hint}</small>
    </div>
    {children}
  </div>
);
