import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconHelpCircle, IconPlayerTrackNext, IconRefresh } from '@tabler/icons-react';
import { memo, use } from 'react';
import type { Citation, Message } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { withoutCitations } from '../../../shared/citation-marks.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { later } from '../../ui/later.tsx';
import { ActiveSource } from './active-source.ts';
import { CopyAction } from './copy-action.tsx';
import { FeedbackButtons } from './feedback-buttons.tsx';
import { LazyAnswerText } from './lazy-answer-text.tsx';
import { AttachmentList } from './question.tsx';
import { printing } from './printing.ts';
import { Reasoning, Waiting } from './thinking.tsx';
import { Suggestions } from './suggestions.tsx';
import { UsageLine } from './usage-line.tsx';
import classes from './conversations.module.css';

// Few answers fail, and few bots have tools.
const BranchSwitch = later(async () => (await import('./branch-switch.tsx')).BranchSwitch);
const SettingsLink = later(async () => (await import('./settings-link.tsx')).SettingsLink);
const ToolList = later(async () => (await import('./tools.tsx')).ToolList);

interface Props {
  message: Message;
  thread: string | undefined;
  bot: { uuid: string; name: string; avatar: { url: string } | null; mark: number };
  /** It is being written. */
  isLive: boolean;
  /** Something in the thread is being written. */
  isBusy: boolean;
  isLast: boolean;
  showCitations: boolean;
  onCitation(citation: Citation): void;
  onRegenerate(message: Message): void;
  onContinue(message: Message): void;
  onShow(message: string): void;
  onWhy: ((message: string) => void) | undefined;
  onAsk(text: string): void;
}

const noCitations: Citation[] = [];

export const Answer = memo(function Answer({
  message,
  thread,
  bot,
  isLive,
  isBusy,
  isLast,
  showCitations,
  onCitation,
  onRegenerate,
  onContinue,
  onShow,
  onWhy,
  onAsk,
}: Props) {
  const { t } = useTranslation('conversations');
  const { text, status, finish, error, usage } = message;
  const citations = showCitations ? message.citations : noCitations;
  const said = isLive ? text : withoutSuggestions(message);
  const shown = showCitations ? said : withoutCitations(said, message.citations);
  const isStaff = message.role === 'staff';
  const isThinking = isLive && text === '';
  const end =
    isLive || error
      ? undefined
      : status === 'interrupted'
        ? t('chat.interrupted')
        : finish === 'length'
          ? t('chat.cut')
          : finish === 'filter'
            ? t('chat.filtered')
            : undefined;
  const hasMore = text !== '' || error?.code === 'provider-out-of-tokens';
  const canProceed = isLast && hasMore && (status === 'interrupted' || status === 'failed' || finish === 'length');
  const canRetry = isLast && (status === 'failed' || (status === 'interrupted' && text === ''));

  return (
    <div
      className={classes['answer']}
      role="group"
      aria-label={isStaff ? t('common:role.staff') : bot.name}
      aria-busy={isLive}
      data-last={isLast || undefined}
      data-message={message.uuid}
    >
      {isStaff ? (
        <Avatar kind="person" id="staff" name={t('common:role.staff')} size={24} />
      ) : (
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={24} />
      )}
      <div>
        <p className={classes['answerName']}>
          <bdi>{isStaff ? t('common:role.staff') : bot.name}</bdi>
        </p>
        <Reasoning text={message.reasoning} since={message.createdAt} isNow={isThinking && message.reasoning !== ''} />
        {message.tools.length > 0 && <ToolList tools={message.tools} onFail={() => {}} />}
        {isThinking ? (
          message.reasoning === '' && <Waiting since={message.createdAt} />
        ) : (
          <LazyAnswerText text={shown} citations={citations} onOpen={onCitation} />
        )}
        {message.files.length > 0 && <AttachmentList files={message.files} onFail={() => {}} />}
        {!isLive && message.suggestions.length > 0 && (
          <Suggestions label={t('chat.suggestions')} texts={message.suggestions} isBusy={isBusy} onPick={onAsk} />
        )}
        {!isLive && citations.length > 0 && <Sources citations={citations} onOpen={onCitation} />}
        {end && (
          <Text size="sm" c="dimmed" mt={4}>
            {end}
          </Text>
        )}
        {!isLive && error && (
          <Alert color="red" mt="xs" icon={<IconAlertTriangle />} p="xs">
            {error.message} <SettingsLink code={error.code} ownKey={usage?.ownKey} onFail={() => {}} />
          </Alert>
        )}
        {!isLive && (canProceed || canRetry) && (
          <Group gap="xs" mt="xs">
            {canProceed && (
              <Button
                size="xs"
                variant="light"
                leftSection={<IconPlayerTrackNext size={14} />}
                disabled={isBusy}
                onClick={() => onContinue(message)}
              >
                {t('chat.continue')}
              </Button>
            )}
            {canRetry && (
              <Button
                size="xs"
                variant="light"
                leftSection={<IconRefresh size={14} />}
                disabled={isBusy}
                onClick={() => onRegenerate(message)}
              >
                {t('common:retry')}
              </Button>
            )}
          </Group>
        )}
        {!isLive && !isStaff && (
          <div className={classes['actions']}>
            {message.siblings.length > 1 && (
              <BranchSwitch message={message} disabled={isBusy} onShow={onShow} onFail={() => {}} />
            )}
            {text !== '' && <CopyAction value={text} label={t('chat.copy')} />}
            {text !== '' && thread && <FeedbackButtons thread={thread} message={message} />}
            {!canRetry && (
              <IconButton label={t('chat.regenerate')} disabled={isBusy} onClick={() => onRegenerate(message)}>
                <IconRefresh size={15} />
              </IconButton>
            )}
            {onWhy && (
              <IconButton label={t('why.title')} withLabel onClick={() => onWhy(message.uuid)}>
                <IconHelpCircle size={15} aria-hidden />
              </IconButton>
            )}
            {usage && <UsageLine usage={usage} />}
          </div>
        )}
      </div>
    </div>
  );
});

/** What is offered as buttons need not stand in the text as a list as well. */
function withoutSuggestions({ text, suggestions }: Message): string {
  const list = suggestions.map((each) => `- ${each}`).join('\n');
  const at = list ? text.lastIndexOf(list) : -1;
  return at < 0 ? text : text.slice(0, at) + text.slice(at + list.length);
}

function Sources({ citations, onOpen }: { citations: Citation[]; onOpen(citation: Citation): void }) {
  const { t } = useTranslation('conversations');
  const active = use(ActiveSource);
  const onPaper = printing.use();
  if (onPaper) return <onPaper.Quotes citations={citations} />;
  return (
    <div className={classes['sources']} role="group" aria-label={t('citation.sources')}>
      <span aria-hidden>{t('citation.from')}</span>
      {citations.map((citation) => (
        <button
          type="button"
          key={citation.number}
          className={classes['source']}
          data-active={citation.embedding === active || undefined}
          onClick={() => onOpen(citation)}
        >
          <b>{citation.number}</b>
          <span>
            {citation.document.name}
            {citation.page ? ` · ${t('citation.page', { page: citation.page })}` : ''}
          </span>
        </button>
      ))}
    </div>
  );
}
