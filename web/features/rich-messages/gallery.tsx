import { Button, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedRich } from '../../../shared/contracts/rich-messages.ts';
import { richKinds, type RichKind } from '../../../shared/rich-line.ts';
import { richTemplates } from '../../../shared/rich-templates.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Filters } from '../../ui/filters.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Kind } from './kind.tsx';
import { RichMenu } from './rich-menu.tsx';
import classes from './rich-messages.module.css';
import { useRichKinds, useRichMessages } from './rich-messages.queries.ts';
import { Small } from './small.tsx';

interface Props {
  channel: string;
  /** Begins a broadcast that says one of them. */
  onBroadcast: ((message: { uuid: string; name: string }) => void) | undefined;
}

/** The rich messages of the workspace, drawn small. */
export function RichGallery({ channel, onBroadcast }: Props) {
  const { t } = useTranslation('rich-messages');
  const navigate = useNavigate();
  const [q, setQ] = useState('');
  const [kind, setKind] = useState<RichKind>();
  // What was searched for is in the field, too.
  const [cleared, setCleared] = useState(0);
  const [isMaking, setIsMaking] = useState(false);
  const mayEdit = useMay('edit');
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  const messages = useRichMessages(q, kind);
  const kinds = useRichKinds(q, kind);
  const toMessage = (message: string) =>
    void navigate({ to: '/Line-Channel/$id/Message/$message', params: { id: channel, message } });
  const isNarrowed = q !== '' || kind !== undefined;
  const isEmpty = messages.data?.length === 0 && !isNarrowed;
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsMaking(true)}>
      {t('gallery.create')}
    </Button>
  );
  const clear = () => {
    setQ('');
    setKind(undefined);
    setCleared(cleared + 1);
  };
  return (
    <div className={classes['gallery']}>
      {!isEmpty && (
        <div className={classes['find']}>
          <p className={classes['hint']}>{t('gallery.about')}</p>
          <SearchInput
            key={cleared}
            value={q}
            onChange={setQ}
            label={t('gallery.search')}
            clearLabel={t('common:clear')}
          />
          {(kinds.length > 1 || kind) && (
            <Filters label={t('gallery.kind')} count={kind ? 1 : 0}>
              <Select
                aria-label={t('gallery.kind')}
                placeholder={t('gallery.everyKind')}
                data={richKinds
                  .filter((each) => each === kind || kinds.includes(each))
                  .map((value) => ({ value, label: t(`kinds.${value}`) }))}
                value={kind ?? null}
                onChange={(next) => setKind(next ?? undefined)}
                clearable
              />
            </Filters>
          )}
          {isPhone ? (
            <Button aria-label={t('gallery.create')} onClick={() => setIsMaking(true)}>
              {t('common:create')}
            </Button>
          ) : (
            create
          )}
        </div>
      )}
      <PagedList
        query={messages}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          isNarrowed ? (
            <EmptyState
              drawing="search"
              title={q ? t('gallery.noMatch', { q }) : t('gallery.noneOfKind')}
              text=""
              action={
                <Button variant="default" onClick={clear}>
                  {t('common:clear')}
                </Button>
              }
            />
          ) : (
            <EmptyState drawing="line" title={t('gallery.empty')} text={t('gallery.emptyText')} action={create} />
          )
        }
      >
        {(rows) => (
          <ul className={classes['tiles']}>
            {rows.map((message) => (
              <Tile
                key={message.uuid}
                message={message}
                channel={channel}
                onBroadcast={mayEdit && onBroadcast ? () => onBroadcast(message) : undefined}
                onCopied={toMessage}
              />
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
  message: ListedRich;
  channel: string;
  onBroadcast: (() => void) | undefined;
  onCopied(uuid: string): void;
}

function Tile({ message, channel, onBroadcast, onCopied }: TileProps) {
  const { t } = useTranslation('rich-messages');
  const { uuid, name, draft, uses } = message;
  return (
    <li className={classes['tile']}>
      <Small draft={draft} />
      <div>
        <Link to="/Line-Channel/$id/Message/$message" params={{ id: channel, message: uuid }} title={name}>
          {name}
        </Link>
        <small>
          <span>
            <Kind draft={draft} />
          </span>
          <span>
            <i>{t('common:dot')}</i>
            {uses > 0 ? t('gallery.uses', { count: uses, shown: formatNumber(uses) }) : t('gallery.unused')}
          </span>
        </small>
      </div>
      <RichMenu
        message={message}
        editAt={`/Line-Channel/${channel}/Message/${uuid}`}
        onBroadcast={onBroadcast}
        onCopied={onCopied}
      />
    </li>
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
            <Small draft={draft} />
            <div>
              <Link {...begin(id)}>{name}</Link>
              <small>
                <Kind draft={draft} />
              </small>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
