import {
  IconArrowBackUp,
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconChecks,
  IconClock,
  IconEraser,
  IconFlag,
  IconHelpCircle,
  IconLanguage,
  IconMapPin,
  IconMessageChatbot,
  IconMoodSmile,
  IconRefresh,
  IconThumbDown,
  IconThumbUp,
  IconUserCheck,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react';
import { memo, type ComponentType } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import type { InboxMessage, InboxThread } from '../../../shared/contracts/inbox.ts';
import { formatMoment, formatTimeOfDay } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { later } from '../../ui/later.tsx';
import { Bubble } from './bubble.tsx';
import { Files } from './files.tsx';
import type { Shown } from './flow.ts';
import classes from './inbox.module.css';
import { Prose } from './prose.tsx';

const Translation = later(async () => (await import('./assist.tsx')).Translation);

/** How a bot's answer is drawn, with marks that open its sources. */
export type AnswerText = ComponentType<{ text: string; citations: Citation[]; onOpen(citation: Citation): void }>;

/** How rich messages of LINE are drawn and chosen, by another feature. */
export interface RichParts {
  Preview: ComponentType<{ line: unknown; label: string }>;
  Dialog: ComponentType<{
    title: string;
    choose: string;
    onChoose(message: { uuid: string; draft: { alt: string } }): void;
    onClose(): void;
  }>;
  /** For the button that opens the dialog. */
  reach: { onPointerEnter(): void; onFocus(): void };
}

export interface MessageProps {
  shown: Shown;
  thread: InboxThread;
  /** It is the hand-off for which the visitor waits. */
  calls: boolean;
  user: string | undefined;
  AnswerText: AnswerText;
  RichPreview: RichParts['Preview'];
  /** The translation below it is open. */
  isTranslated: boolean;
  onTranslate(message: string | undefined): void;
  onCitation(citation: Citation): void;
  onWhy: ((message: string) => void) | undefined;
  onRetry(message: string): void;
  /** To answer this message, where the channel shows to which an answer belongs. */
  onQuote: ((message: InboxMessage) => void) | undefined;
}

/** One glance tells who spoke: the visitor left on paper, the bot right on the sheet, the team right on indigo, a note on memo paper. */
export const Message = memo(function Message(props: MessageProps) {
  const { message } = props.shown;
  if (message.happening) return <Happening message={message} guest={props.thread.guest.name} calls={props.calls} />;
  return message.internal ? <Note message={message} /> : <Said {...props} />;
});

function Said({
  shown: { message, goesOn, hasTime },
  thread,
  user,
  AnswerText,
  RichPreview,
  isTranslated,
  onTranslate,
  onCitation,
  onWhy,
  onRetry,
  onQuote,
}: MessageProps) {
  const { t, has } = useTranslation('inbox');
  const reason = `delivery.reason.${message.deliveryError ?? ''}`;
  const {
    role,
    text,
    author,
    files,
    citations,
    status,
    sticker,
    location,
    rich,
    quoted,
    sender,
    heard,
    feedback,
    delivery,
    createdAt,
  } = message;
  // What is sent by itself is nobody's of the team.
  const side = role === 'user' ? 'visitor' : role === 'staff' ? 'staff' : 'bot';
  const { guest, bot } = thread;
  const isWriting = status === 'pending' || status === 'streaming';
  const who =
    side === 'visitor'
      ? sender
        ? sender.name || t('message.member')
        : guest.name
      : side === 'bot'
        ? (bot?.name ?? t('state.bot'))
        : author?.uuid === user
          ? t('list.you')
          : (author?.name ?? t('state.staff'));
  return (
    <div className={classes['message']} data-side={side} data-goes-on={goesOn || undefined} data-message={message.uuid}>
      <span className={classes['speaker']} title={who}>
        {!hasTime ? null : side === 'bot' && bot ? (
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={28} />
        ) : (
          <Avatar
            kind="person"
            id={side === 'visitor' ? (sender ? `${guest.uuid} ${sender.name}` : guest.uuid) : (author?.uuid ?? 'staff')}
            name={side === 'visitor' ? who : (author?.name ?? who)}
            url={(side === 'visitor' ? (sender ? null : guest.avatar) : author?.avatar)?.url}
            size={28}
          />
        )}
      </span>
      <div
        className={classes['said']}
        role="group"
        aria-label={t('message.by', { who, time: formatMoment(createdAt) })}
      >
        {sender && !goesOn && <span className={classes['sender']}>{who}</span>}
        {quoted && (
          <blockquote className={classes['quoted']} title={quoted.text}>
            {quoted.text}
          </blockquote>
        )}
        {rich && (
          <div className={classes['rich']}>
            <RichPreview line={rich.line} label={rich.alt} />
          </div>
        )}
        {/* What a sticker or a place is in words stands on its tile. */}
        {((text && !sticker && !location && !rich && heard === null) || isWriting || citations.length > 0) && (
          <Bubble>
            {isWriting ? (
              <span className={classes['writing']}>{t('message.botWrites')}</span>
            ) : role === 'assistant' ? (
              <AnswerText text={text} citations={citations} onOpen={onCitation} />
            ) : (
              <Prose text={text} />
            )}
            {citations.length > 0 && !isWriting && (
              <div className={classes['sources']} role="group" aria-label={t('message.sources')}>
                {citations.map((citation) => (
                  <button key={citation.number} type="button" onClick={() => onCitation(citation)}>
                    <b>{citation.number}</b>
                    <span>
                      {[
                        citation.document.name,
                        ...(citation.page ? [t('message.page', { page: citation.page })] : []),
                      ].join(t('common:dot'))}
                    </span>
                  </button>
                ))}
              </div>
            )}
          </Bubble>
        )}
        <Files thread={thread.uuid} files={files} />
        {heard !== null && (
          <Bubble>
            <Prose text={text} />
            <small className={classes['heard']} title={t('message.heardBy', { model: heard })}>
              {t('message.heard')}
            </small>
          </Bubble>
        )}
        {sticker && (
          <p className={classes['sticker']}>
            <IconMoodSmile size={32} stroke={1.25} aria-hidden />
            <span>
              {text || t('message.sticker')}
              {/* What is written on it does not say that it is one. */}
              {text && !text.includes(t('message.sticker')) && <small>{t('message.sticker')}</small>}
            </span>
          </p>
        )}
        {location && (
          <a
            className={classes['place']}
            href={`https://www.openstreetmap.org/?mlat=${location.latitude}&mlon=${location.longitude}#map=16/${location.latitude}/${location.longitude}`}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            <IconMapPin size={16} stroke={1.75} aria-hidden />
            <span>
              {location.title || t('message.location')}
              <small>{location.address || `${location.latitude}, ${location.longitude}`}</small>
            </span>
          </a>
        )}
        {status === 'failed' && side === 'bot' && (
          <p className={classes['problem']}>
            {message.failure === null
              ? t('message.botFailed')
              : t('message.botFailedWith', { reason: message.failure })}
          </p>
        )}
        {delivery === 'failed' && (
          <p className={classes['problem']} role="alert">
            <IconAlertTriangle size={14} aria-hidden />
            <span>{t('delivery.failed', { reason: has(reason) ? t(reason) : (message.deliveryError ?? '') })}</span>
            {side === 'staff' && (
              <button type="button" onClick={() => onRetry(message.uuid)}>
                {t('common:retry')}
              </button>
            )}
          </p>
        )}
        {feedback?.text && (
          <p className={classes['remark']}>
            <b>{t('message.remark')}</b> {feedback.text}
          </p>
        )}
        {isTranslated && (
          <Translation
            thread={thread.uuid}
            text={text}
            onClose={() => onTranslate(undefined)}
            onFail={() => onTranslate(undefined)}
          />
        )}
      </div>
      <div className={classes['meta']}>
        {text && !isWriting && (
          <span className={classes['acts']}>
            {onQuote && delivery !== 'failed' && (
              <IconButton label={t('message.answer')} onClick={() => onQuote(message)}>
                <IconArrowBackUp size={15} aria-hidden />
              </IconButton>
            )}
            <IconButton
              label={t('translate.message')}
              aria-pressed={isTranslated}
              onClick={() => onTranslate(isTranslated ? undefined : message.uuid)}
              {...Translation.reach}
            >
              <IconLanguage size={15} aria-hidden />
            </IconButton>
            {role === 'assistant' && onWhy && (
              <IconButton label={t('message.why')} onClick={() => onWhy(message.uuid)}>
                <IconHelpCircle size={15} aria-hidden />
              </IconButton>
            )}
          </span>
        )}
        {role === 'system' && <span>{t('message.automatic')}</span>}
        {hasTime && (
          <time dateTime={createdAt} title={formatMoment(createdAt)}>
            {formatTimeOfDay(createdAt)}
          </time>
        )}
        {hasTime && side === 'staff' && delivery && delivery !== 'failed' && (
          <Delivery state={delivery} t={t} {...(has(reason) && { reason: t(reason) })} />
        )}
        {feedback && (
          <span className={classes['rated']}>
            {feedback.rating === 'up' ? <IconThumbUp size={13} aria-hidden /> : <IconThumbDown size={13} aria-hidden />}
            {t(`message.rated.${feedback.rating}`)}
          </span>
        )}
      </div>
    </div>
  );
}

const deliveryIcons = { queued: IconClock, sent: IconCheck, delivered: IconChecks };

interface DeliveryProps {
  state: keyof typeof deliveryIcons;
  t: Translate<'inbox'>;
  /** Why it has not arrived yet, or may not have. */
  reason?: string;
}

export function Delivery({ state, t, reason }: DeliveryProps) {
  const Icon = deliveryIcons[state];
  return (
    <span className={classes['delivery']}>
      <Icon size={13} aria-hidden />
      {t(`delivery.${state}`)}
      {reason && ` · ${reason}`}
    </span>
  );
}

function Note({ message: { author, createdAt, text, uuid, mentions } }: { message: InboxMessage }) {
  const { t } = useTranslation('inbox');
  const who = author?.name ?? t('state.staff');
  return (
    <div className={classes['memo']} role="group" aria-label={t('message.noteBy', { who })} data-message={uuid}>
      <p>
        <Avatar kind="person" id={author?.uuid ?? 'staff'} name={who} url={author?.avatar?.url} size={20} />
        <b>{who}</b>
        <span>{t('message.note', { time: formatTimeOfDay(createdAt) })}</span>
      </p>
      <Prose text={text} mentions={mentions} />
    </div>
  );
}

const icons = {
  'handed-off': IconFlag,
  taken: IconUserCheck,
  assigned: IconUserCheck,
  returned: IconMessageChatbot,
  resolved: IconCheck,
  reopened: IconRefresh,
  snoozed: IconClock,
  woken: IconClock,
  blocked: IconBan,
  released: IconArrowBackUp,
  followed: IconUserPlus,
  unfollowed: IconUserMinus,
  unsent: IconEraser,
};

/** The texts of the other reasons say by themselves that no bot answers. */
const silencing = ['asked', 'rule', 'staff'];

function Happening({ message, guest, calls }: { message: InboxMessage; guest: string; calls: boolean }) {
  const { t } = useTranslation('inbox');
  const { happening, createdAt } = message;
  const Icon = happening && icons[happening.kind];
  const told = happening && tell(happening, guest, t);
  const isSilent = calls && silencing.includes(happening?.reason ?? 'asked');
  return (
    <p
      className={classes['event']}
      data-calls={calls || undefined}
      data-message={message.uuid}
      title={formatMoment(createdAt)}
    >
      {Icon && <Icon size={14} stroke={1.75} aria-hidden />}
      <span>{isSilent ? t('happening.silent', { told }) : told}</span>
    </p>
  );
}

function tell(
  { kind, by, to, reason, until }: NonNullable<InboxMessage['happening']>,
  guest: string,
  t: Translate<'inbox'>,
) {
  const who = by?.name;
  switch (kind) {
    case 'handed-off':
      return t(`happening.handedOff.${reason ?? 'asked'}`, { guest });
    case 'assigned':
      return to
        ? who
          ? t('happening.assignedBy', { who, to: to.name })
          : t('happening.assigned', { to: to.name })
        : t('happening.unassigned');
    case 'snoozed':
      return t(who ? 'happening.snoozedBy' : 'happening.snoozed', { who, time: until ? formatMoment(until) : '' });
    case 'followed':
    case 'unfollowed':
    case 'unsent':
      return t(`happening.alone.${kind}`, { guest });
    default:
      return who ? t(`happening.by.${kind}`, { who }) : t(`happening.alone.${kind}`, { guest });
  }
}
