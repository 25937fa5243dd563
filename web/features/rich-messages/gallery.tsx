import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RichMessage } from '../../../shared/contracts/rich-messages.ts';
import { richKinds } from '../../../shared/rich-line.ts';
import { richTemplates } from '../../../shared/rich-templates.ts';
import { formatAgo } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { lineOf } from './draft.ts';
import { LinePreview } from './line-preview.tsx';
import { RichMenu } from './rich-menu.tsx';
import classes from './rich-messages.module.css';
import { useRichMessages } from './rich-messages.queries.ts';

/** The rich messages of the workspace, drawn small. */
export function RichGallery({ channel }: { channel: string }) {
  const { t } = useTranslation('rich-messages');
  const navigate = useNavigate();
  const [q, setQ] = useState('');
  const [isMaking, setIsMaking] = useState(false);
  const messages = useRichMessages(q);
  const toMessage = (message: string) =>
    void navigate({ to: '/Line-Channel/$id/Message/$message', params: { id: channel, message } });
  const isEmpty = messages.data?.length === 0 && !q;
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsMaking(true)}>
      {t('gallery.create')}
    </Button>
  );
  return (
    <div className={classes['gallery']}>
      {!isEmpty && (
        <div className={classes['find']}>
          <p className={classes['hint']}>{t('gallery.about')}</p>
          <SearchInput value={q} onChange={setQ} label={t('gallery.search')} clearLabel={t('common:clear')} />
          {create}
        </div>
      )}
      <PagedList
        query={messages}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={
          q ? (
            <p className={classes['hint']}>{t('gallery.noMatch', { q })}</p>
          ) : (
            <EmptyState drawing="line" title={t('gallery.empty')} text={t('gallery.emptyText')} action={create} />
          )
        }
      >
        {(rows) => (
          <ul className={classes['tiles']}>
            {rows.map((message) => (
              <Tile key={message.uuid} message={message} channel={channel} onCopied={toMessage} />
            ))}
          </ul>
        )}
      </PagedList>
      <Modal opened={isMaking} onClose={() => setIsMaking(false)} title={t('make.title')} size="xl" centered>
        <Beginnings channel={channel} />
      </Modal>
    </div>
  );
}

interface TileProps {
  message: RichMessage;
  channel: string;
  onCopied(uuid: string): void;
}

function Tile({ message, channel, onCopied }: TileProps) {
  const { t } = useTranslation('rich-messages');
  const { uuid, name, kind, draft, updatedAt } = message;
  return (
    <li className={classes['tile']}>
      <Small line={lineOf(draft)} />
      <div>
        <Link to="/Line-Channel/$id/Message/$message" params={{ id: channel, message: uuid }} title={name}>
          {name}
        </Link>
        <small>
          {t(`kinds.${kind}`)}
          <i>{t('common:dot')}</i>
          <span>{formatAgo(updatedAt)}</span>
        </small>
      </div>
      <RichMenu message={message} onCopied={onCopied} />
    </li>
  );
}

/** A message drawn small; what it is stands beside it. */
export function Small({ line }: { line: unknown }) {
  return (
    <div className={classes['small']} aria-hidden inert>
      <div>
        <LinePreview line={line} label="" />
      </div>
    </div>
  );
}

/** What one may begin with: nothing, or what others have needed as well. */
function Beginnings({ channel }: { channel: string }) {
  const { t } = useTranslation('rich-messages');
  const begin = (from: string) => ({
    to: '/Line-Channel/$id/Message/$message' as const,
    params: { id: channel, message: 'new' },
    search: { from },
  });
  return (
    <>
      <ul className={classes['kinds']}>
        {richKinds.map((kind) => (
          <li key={kind}>
            <Link {...begin(kind)}>{t(`kinds.${kind}`)}</Link>
            <p>{t(`make.hints.${kind}`)}</p>
          </li>
        ))}
      </ul>
      <h3 className={classes['group']}>{t('make.templates')}</h3>
      <ul className={classes['tiles']}>
        {richTemplates(currentLocale()).map(({ id, name, draft }) => (
          <li key={id} className={classes['tile']}>
            <Small line={lineOf(draft)} />
            <div>
              <Link {...begin(id)}>{name}</Link>
              <small>{t(`kinds.${draft.kind}`)}</small>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
