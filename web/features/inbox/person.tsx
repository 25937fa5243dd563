import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { IconArrowLeft, IconDots, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ComponentType, type ReactNode } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import type { GuestProfile } from '../../../shared/contracts/inbox.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayOf, formatAgo, formatDay, formatLongDay, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { later } from '../../ui/later.tsx';
import { Section, State } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { EditLine } from './edit-line.tsx';
import { messagesIn } from './flow.ts';
import { useGuest, useMergeGuest, useMessages, useUpdateGuest } from './inbox.queries.ts';
import { stateOf } from './state.ts';
import { Tags } from './tags.tsx';
import classes from './inbox.module.css';

const PersonMenu = later(async () => (await import('./person-menu.tsx')).PersonMenu);

interface Props {
  guest: string;
  /** Which of their conversations is open. */
  thread: string;
  /** What they were sent on LINE. */
  Received: ComponentType<{ guest: string }>;
  onCitation(citation: Citation): void;
  /** Back to the conversation, where the person fills the page. */
  onBack?: (() => void) | undefined;
  onErased(): void;
}

/** A pane of its own. */
export function Person({ onBack, onErased, ...rest }: Props) {
  const { t } = useTranslation('inbox');
  return (
    <>
      <header className={classes['bar']}>
        {onBack && (
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('person.back')} onClick={onBack}>
            <IconArrowLeft size={20} stroke={1.6} />
          </ActionIcon>
        )}
        <h2 className={classes['title']}>{t('person.title')}</h2>
        <span className={classes['barEnd']}>
          <PersonActions guest={rest.guest} onErased={onErased} />
        </span>
      </header>
      <div className={classes['personBody']}>
        <PersonBody {...rest} />
      </div>
    </>
  );
}

/** What is done with a person as a whole. */
export function PersonActions({ guest: uuid, onErased }: Pick<Props, 'guest' | 'onErased'>) {
  const { t } = useTranslation('inbox');
  const { data: guest } = useGuest(uuid);
  const { isOpen, close, button } = useOpener('menu');
  if (!guest) return null;
  return (
    <span className={classes['anchor']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('person.actions', { name: guest.name })}
        {...button}
        {...PersonMenu.reach}
      >
        <IconDots size={16} stroke={1.75} />
      </ActionIcon>
      {isOpen && <PersonMenu guest={guest} onErased={onErased} onClose={close} onFail={close} />}
    </span>
  );
}

/** How they are known, what the bot knew for them, and what was said before. */
export function PersonBody({
  guest: uuid,
  thread,
  Received,
  onCitation,
}: Pick<Props, 'guest' | 'thread' | 'Received' | 'onCitation'>) {
  const { t } = useTranslation('inbox');
  const guest = useGuest(uuid);
  if (guest.data)
    return (
      <>
        <Details key={uuid} guest={guest.data} />
        <Known thread={thread} onCitation={onCitation} />
        {guest.data.identities.some(({ channel }) => channel === 'line') && (
          <div className={classes['personPart']}>
            <Received guest={uuid} />
          </div>
        )}
        <Earlier guest={guest.data} thread={thread} />
      </>
    );
  if (guest.isError)
    return (
      <ErrorState
        title={t('person.failed')}
        text={errorText(guest.error)}
        retry={t('common:retry')}
        onRetry={() => void guest.refetch()}
      />
    );
  return (
    <div role="status" aria-label={t('common:loading')}>
      <Skeleton height={44} width="70%" mb={16} animate={false} />
      {[60, 80, 50, 66].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} my={14} animate={false} />
      ))}
    </div>
  );
}

function Details({ guest }: { guest: GuestProfile }) {
  const { t } = useTranslation('inbox');
  const update = useUpdateGuest(guest.uuid);
  const save = (changes: Parameters<typeof update.mutateAsync>[0]) => update.mutateAsync(changes);
  const { identities, page } = guest;
  const isFriend = identities.every(({ channel }) => channel === 'line');
  const unblock = () => update.mutate({ blocked: false }, { onError: (error) => toast.error(errorText(error)) });
  return (
    <>
      <div className={classes['who']}>
        <Avatar kind="person" id={guest.uuid} name={guest.name} url={guest.avatar?.url} size={44} />
        <div>
          <EditLine
            label={t('person.name')}
            value={guest.name}
            maxLength={80}
            isTitle
            onSave={(name) => save({ name })}
          />
          <p title={formatMoment(guest.createdAt)}>
            {t(isFriend ? 'person.friend.since' : 'person.since', {
              day: formatLongDay(dayOf(guest.createdAt)),
            })}
          </p>
        </div>
      </div>
      {guest.blocked && (
        <div className={classes['blocked']} role="note">
          <State kind="failed">{t('person.isBlocked')}</State>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={unblock}>
            {t('person.unblock')}
          </Button>
        </div>
      )}
      <Tags key={guest.tags.join()} tags={guest.tags} onSave={(tags) => save({ tags })} />
      <dl className={classes['facts']}>
        <Fact name={t('person.language')}>
          <select
            aria-label={t('person.language')}
            value={guest.language ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void save({ language: value === 'en' || value === 'ja' ? value : null }).catch((error: unknown) =>
                toast.error(errorText(error)),
              )
            }
          >
            <option value="">{t('person.unknown')}</option>
            <option value="en">English</option>
            <option value="ja">日本語</option>
          </select>
        </Fact>
        <Fact name={t('person.email')}>
          <EditLine
            label={t('person.email')}
            type="email"
            value={guest.email}
            maxLength={254}
            onSave={(email) => save({ email })}
          />
        </Fact>
        <Fact name={t('person.phone')}>
          <EditLine
            label={t('person.phone')}
            type="tel"
            value={guest.phone}
            maxLength={40}
            onSave={(phone) => save({ phone })}
          />
        </Fact>
        {guest.fields.map(({ name, value }, at) => (
          <Fact key={name} name={name}>
            <EditLine
              label={name}
              value={value}
              maxLength={500}
              onSave={(next) =>
                save({
                  // An emptied one goes.
                  fields: guest.fields.flatMap((field, index) =>
                    index !== at ? field : next ? { name, value: next } : [],
                  ),
                })
              }
            />
          </Fact>
        ))}
        <NewField guest={guest} onSave={(fields) => save({ fields })} />
        <Fact name={t(isFriend ? 'person.friend.knownAs' : 'person.knownAs')}>
          <Identities guest={guest} identities={identities} />
        </Fact>
        {page && (
          <Fact name={t('person.page')}>
            <Page address={page} />
          </Fact>
        )}
        {guest.lastSeenAt && (
          <Fact name={t(isFriend ? 'person.friend.lastSeen' : 'person.lastSeen')}>
            <time dateTime={guest.lastSeenAt} title={formatMoment(guest.lastSeenAt)}>
              {formatAgo(guest.lastSeenAt)}
            </time>
          </Fact>
        )}
      </dl>
      <EditLine
        label={t('person.note')}
        placeholder={t('person.notePlaceholder')}
        value={guest.note}
        maxLength={4000}
        isLong
        onSave={(note) => save({ note })}
      />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What a visitor's page says of itself is only an address where it is one. */
function Page({ address }: { address: string }) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return <span title={address}>{address}</span>;
  return (
    <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {url.host + url.pathname.replace(/\/$/, '')}
    </a>
  );
}

function NewField({
  guest,
  onSave,
}: {
  guest: GuestProfile;
  onSave(fields: GuestProfile['fields']): Promise<unknown>;
}) {
  const { t } = useTranslation('inbox');
  const [name, setName] = useState<string>();
  if (name === undefined)
    return (
      <div>
        <dt>
          <button type="button" className={classes['quiet']} onClick={() => setName('')}>
            <IconPlus size={12} aria-hidden /> {t('person.addField')}
          </button>
        </dt>
        <dd />
      </div>
    );
  return (
    <div>
      <dt>
        <input
          aria-label={t('person.fieldName')}
          placeholder={t('person.fieldName')}
          maxLength={40}
          value={name}
          autoFocus
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setName(undefined)}
        />
      </dt>
      <dd>
        <EditLine
          label={t('person.fieldValue')}
          value=""
          maxLength={500}
          onSave={async (value) => {
            if (name.trim() && value) await onSave([...guest.fields, { name: name.trim(), value }]);
            setName(undefined);
          }}
        />
      </dd>
    </div>
  );
}

/** By what channels they are known; what was merged can be parted again. */
function Identities({ guest, identities }: { guest: GuestProfile; identities: GuestProfile['identities'] }) {
  const { t } = useTranslation('inbox');
  const { split } = useMergeGuest(guest.uuid);
  return (
    <ul className={classes['identities']}>
      {identities.map(({ uuid, channel, channelName, name, verified }) => (
        <li key={uuid}>
          <span title={name}>
            <ChannelIcon kind={channel} size={14} /> {channelName}{' '}
            {verified && channel === 'web' && <small>{t('person.verified')}</small>}
          </span>
          {identities.length > 1 && (
            <button
              type="button"
              className={classes['quiet']}
              disabled={split.isPending}
              onClick={() =>
                split.mutate(uuid, {
                  onError: (error) => toast.error(errorText(error)),
                  onSuccess: () => toast.success(t('person.wasSplit')),
                })
              }
            >
              {t('person.split')}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The sources of the bot's last answer here. */
function Known({ thread, onCitation }: { thread: string; onCitation(citation: Citation): void }) {
  const { t } = useTranslation('inbox');
  const messages = messagesIn(useMessages(thread).data?.pages ?? []);
  const citations = messages.findLast((message) => message.citations.length > 0)?.citations ?? [];
  if (citations.length === 0) return null;
  return (
    <div className={classes['personPart']}>
      <Section title={t('person.known')}>
        {citations.map((citation, at) => (
          <button key={citation.number} type="button" className={classes['known']} onClick={() => onCitation(citation)}>
            <span>
              <b>{citation.number}</b>
              <bdi>{citation.document.name}</bdi>
              {citation.page !== null && <small>{t('message.page', { page: citation.page })}</small>}
            </span>
            {at === 0 && citation.quote && <q>{citation.quote}</q>}
          </button>
        ))}
      </Section>
    </div>
  );
}

function Earlier({ guest: { threads }, thread }: { guest: GuestProfile; thread: string }) {
  const { t } = useTranslation('inbox');
  const others = threads.filter(({ uuid }) => uuid !== thread);
  if (others.length === 0) return null;
  return (
    <div className={classes['personPart']}>
      <Section title={t('person.earlier')} count={others.length}>
        {others.map(({ uuid, title, status, updatedAt }) => {
          const state = stateOf({ status, assignee: null, snoozedUntil: null, typed: false }, t, undefined);
          return (
            <Link
              key={uuid}
              to="/Friend"
              search={({ person: _closed, ...search }) => ({ ...search, thread: uuid })}
              className={classes['earlier']}
            >
              <bdi>{title}</bdi>
              {status !== 'resolved' && <State kind={state.kind}>{state.label}</State>}
              <time dateTime={updatedAt} title={formatMoment(updatedAt)}>
                {formatDay(dayOf(updatedAt))}
              </time>
            </Link>
          );
        })}
      </Section>
    </div>
  );
}
