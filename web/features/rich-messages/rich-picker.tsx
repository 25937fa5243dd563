import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { RichMessage } from '../../../shared/contracts/rich-messages.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Kind } from './kind.tsx';
import classes from './rich-messages.module.css';
import { useRichMessage, useRichMessages } from './rich-messages.queries.ts';
import { Small } from './small.tsx';

interface DialogProps {
  title: string;
  /** What is done with the one that is chosen, on its button. */
  choose: string;
  onChoose(message: RichMessage): void;
  onClose(): void;
}

/** One of the rich messages, chosen by how it looks. */
export function RichDialog({ title, choose, onChoose, onClose }: DialogProps) {
  const { t } = useTranslation('rich-messages');
  const [q, setQ] = useState('');
  const messages = useRichMessages(q);
  return (
    <Modal opened onClose={onClose} title={title} size="lg" centered>
      <SearchInput value={q} onChange={setQ} label={t('gallery.search')} clearLabel={t('common:clear')} />
      <PagedList
        query={messages}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<p className={classes['hint']}>{q ? t('gallery.noMatch', { q }) : t('picker.none')}</p>}
      >
        {(rows) => (
          <ul className={classes['tiles']}>
            {rows.map((message) => (
              <li key={message.uuid} className={classes['tile']}>
                <Small draft={message.draft} />
                <div>
                  <b title={message.name}>{message.name}</b>
                  <small>
                    <Kind draft={message.draft} />
                  </small>
                </div>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('picker.chooseNamed', { choose, name: message.name })}
                  onClick={() => onChoose(message)}
                >
                  {choose}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Modal>
  );
}

interface FieldProps {
  value: string | null;
  onChange(uuid: string | null): void;
  error?: string | undefined;
}

/** Which rich message a rule sends, or none. */
export function RuleRichField({ value, onChange, error }: FieldProps) {
  const { t } = useTranslation('rich-messages');
  const label = t('rule.label');
  const [isOpen, setIsOpen] = useState(false);
  const chosen = useRichMessage(value);
  return (
    <div role="group" aria-label={label}>
      <b className={classes['group']}>{label}</b>
      <p className={classes['hint']}>{t('rule.hint')}</p>
      <Group gap={8} mt={6}>
        {value !== null && <span className={classes['chosen']}>{chosen.data?.name ?? '…'}</span>}
        <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
          {t(value === null ? 'picker.choose' : 'picker.change')}
        </Button>
        {value !== null && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconX size={14} />}
            onClick={() => onChange(null)}
          >
            {t('picker.remove')}
          </Button>
        )}
      </Group>
      {error && (
        <p className={classes['problem']} role="alert">
          {error}
        </p>
      )}
      {isOpen && (
        <RichDialog
          title={label}
          choose={t('picker.take')}
          onChoose={({ uuid }) => {
            onChange(uuid);
            setIsOpen(false);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}
