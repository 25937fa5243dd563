import { Button, FileButton, Textarea } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBolt,
  IconFile,
  IconLanguage,
  IconLayoutCards,
  IconPaperclip,
  IconQuote,
  IconX,
} from '@tabler/icons-react';
import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { flushSync } from 'react-dom';
import { withNames } from '../../../shared/addressed.ts';
import type { Attachment, Citation } from '../../../shared/contracts/conversations.ts';
import { typeInInbox, type GuestFace, type InboxMessage, type InboxThread } from '../../../shared/contracts/inbox.ts';
import { isPlayable } from '../../../shared/recordings.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUser, useWorkspace } from '../../lib/session.ts';
import { ask } from '../../lib/socket.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { isComposing } from '../../ui/keyboard.ts';
import { later } from '../../ui/later.tsx';
import { AskDisplayName } from './ask-display-name.tsx';
import { useCanned, useStaff } from './inbox.queries.ts';
import type { RichParts } from './message.tsx';
import { Suggestions, type Suggestion } from './suggestions.tsx';
import { useDraft, type Draft } from './use-draft.ts';
import type { useUploads } from './use-uploads.ts';
import { askedFor, findUnfilled, isNothingYet, put } from './writing.ts';
import classes from './inbox.module.css';

const DraftPanel = later(async () => (await import('./assist.tsx')).DraftPanel);
const Translation = later(async () => (await import('./assist.tsx')).Translation);
const CannedDialog = later(async () => (await import('./canned-dialog.tsx')).CannedDialog);

const longest = 4000;
/** From here on it is told how much room is left. */
const long = longest - 300;
/** That somebody writes is told this often, and that they have stopped after so long without a key. */
const tellMs = 3_000;
const stopMs = 6_000;

/** What keys and menus elsewhere on the page do to the field. */
export interface ComposerHandle {
  write(kind: Draft['kind']): void;
}

interface Props {
  thread: InboxThread;
  uploads: ReturnType<typeof useUploads>;
  rich: RichParts;
  /** The message that is answered. */
  quoted: Pick<InboxMessage, 'uuid' | 'text'> | undefined;
  onUnquote(): void;
  onSend(what: { kind: Draft['kind']; text: string; files: Attachment[]; rich?: string; quotes?: string }): void;
  onCitation(citation: Citation): void;
  ref: Ref<ComposerHandle>;
}

/** Enter sends, Shift-Enter makes a line, and the Enter that ends a Japanese composition does neither. */
export function Composer({ thread, uploads, rich, quoted, onUnquote, onSend, onCitation, ref }: Props) {
  const { t } = useTranslation('inbox');
  const user = useUser();
  const names = useNames(thread.guest);
  const [draft, setDraft] = useDraft(thread.uuid);
  const { kind } = draft;
  const text = draft[kind];
  const isNote = kind === 'note';
  const [caret, setCaret] = useState(text.length);
  const [at, setAt] = useState(0);
  const [isHushed, setIsHushed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  /** The conversation whose field has been entered; on a phone it is one line until then. */
  const [begunIn, setBegunIn] = useState<string>();
  const [opened, setOpened] = useState<'draft' | 'translation' | 'canned' | 'rich' | 'taken' | 'unfilled'>();
  const close = () => setOpened(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const reset = useRef<() => void>(null);
  const list = useId();
  const isNothing = isNothingYet(draft.reply) && uploads.uploads.length === 0;
  const isBegun = begunIn === thread.uuid || isNote || !isNothing || quoted !== undefined;
  const typing = useTyping(thread.uuid, isNothing);

  const asked = isHushed || !hasFocus ? undefined : askedFor(text, caret, isNote ? '@' : '/');
  const { found, total, isKnown } = useFound(asked, names);
  const isAsking = asked !== undefined && found.length > 0;
  const chosen = found[Math.min(at, found.length - 1)];

  const files = isNote ? [] : uploads.uploads.flatMap(({ attachment }) => attachment ?? []);
  const isWaiting = !isNote && uploads.uploads.some(({ state }) => state !== 'ready');
  const isReady = (text.trim() !== '' || files.length > 0) && text.length <= longest && !isWaiting;
  const taken =
    !isNote && thread.status === 'staff' && thread.assignee && thread.assignee.uuid !== user?.uuid
      ? thread.assignee
      : undefined;

  /** At once: the next key must not be one of the page's. */
  const writeOn = (changes: Partial<Draft>, next: number) => {
    flushSync(() => {
      setDraft(changes);
      setCaret(next);
      setAt(0);
      setIsHushed(false);
    });
    field.current?.focus();
    field.current?.setSelectionRange(next, next);
  };
  const change = (next: string, nextCaret: number) => {
    setDraft({ [kind]: next });
    setCaret(nextCaret);
    setAt(0);
    setIsHushed(false);
  };
  const take = (suggestion: Suggestion) => {
    if (!asked) return;
    const next = put(text, asked, suggestion.text);
    writeOn({ [kind]: next.text }, next.caret);
  };
  const write = (next: Draft['kind']) => writeOn({ kind: next }, draft[next].length);
  useImperativeHandle(ref, () => ({ write }));
  const send = () => {
    if (!isReady) return;
    typing.stop(false, !isNote);
    onSend({ kind, text: text.trim(), files, ...(quoted && !isNote && { quotes: quoted.uuid }) });
    setDraft({ [kind]: '' });
    setCaret(0);
    if (isNote) return;
    uploads.clear();
    onUnquote();
  };
  const unfilled = isNote ? [] : findUnfilled(text);
  const tryToSend = () => {
    if (isReady && unfilled.length > 0) setOpened('unfilled');
    else if (isReady && taken) setOpened('taken');
    else send();
  };
  const useText = (next: string) => {
    close();
    writeOn({ kind: 'reply', reply: next }, next.length);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key.toLowerCase() === 'n' && event.shiftKey && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      return write(isNote ? 'reply' : 'note');
    }
    if (isAsking) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        return setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
      }
      if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen) {
        event.preventDefault();
        return take(chosen);
      }
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      // The first one closes the list, the next one leaves the field, so that the keys of the page work.
      if (isAsking) return setIsHushed(true);
      return event.currentTarget.blur();
    }
    if (event.key !== 'Enter' || event.shiftKey) return undefined;
    event.preventDefault();
    return tryToSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || isNote) return;
    event.preventDefault();
    uploads.add(pasted);
  };

  return (
    <div className={classes['composer']} data-hidden-under-sheet>
      {opened === 'draft' && (
        <DraftPanel thread={thread.uuid} onUse={useText} onCitation={onCitation} onClose={close} onFail={close} />
      )}
      {opened === 'translation' && (
        <Translation thread={thread.uuid} text={text} onUse={useText} onClose={close} onFail={close} />
      )}
      {isAsking && (
        <Suggestions
          id={list}
          title={t(isNote ? 'suggest.members' : 'suggest.canned')}
          detail={t('suggest.found', { asked: asked.sign + asked.word, count: found.length, total })}
          found={found}
          at={Math.min(at, found.length - 1)}
          onTake={take}
        />
      )}
      {asked?.sign === '/' && isKnown && total === 0 && (
        <div className={classes['suggestions']} role="status">
          <p>
            <b>{t('canned.empty')}</b>
          </p>
          <p className={classes['suggested']}>{t('canned.emptyText')}</p>
          <Button
            size="xs"
            variant="default"
            m={8}
            // The field would lose the focus, and with it what it asks for.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setOpened('canned')}
            {...CannedDialog.reach}
          >
            {t('canned.add')}
          </Button>
        </div>
      )}
      {isBegun && !isNote && user?.displayName === null && <AskDisplayName />}
      <div className={classes['box']} data-note={isNote || undefined} data-begun={isBegun || undefined}>
        <div className={classes['kinds']} role="group" aria-label={t('composer.kind')}>
          {(['reply', 'note'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={kind === each} onClick={() => write(each)}>
              {t(`composer.${each}`)}
            </button>
          ))}
          <span>
            {isNote
              ? t('composer.onlyTeam')
              : taken
                ? t('composer.taken', { name: taken.name })
                : thread.typed
                  ? t('composer.unsent')
                  : thread.channelName}
          </span>
        </div>
        {quoted && !isNote && (
          <div className={classes['quoting']}>
            <blockquote className={classes['quoted']} aria-label={t('message.answer')}>
              {quoted.text}
            </blockquote>
            <IconButton label={t('composer.unquote')} onClick={onUnquote}>
              <IconX size={15} aria-hidden />
            </IconButton>
          </div>
        )}
        <Textarea
          ref={field}
          data-composer
          variant="unstyled"
          className={classes['field'] ?? ''}
          aria-label={t(isNote ? 'composer.noteLabel' : 'composer.label', { name: thread.guest.name })}
          placeholder={t(
            isNote
              ? 'composer.notePlaceholder'
              : thread.status === 'staff' || thread.status === 'resolved'
                ? 'composer.placeholder'
                : 'composer.takesOver',
          )}
          value={text}
          onChange={(event) => {
            change(event.currentTarget.value, event.currentTarget.selectionStart);
            if (!isNote && !isNothingYet(event.currentTarget.value)) typing.tell();
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onFocus={() => {
            setHasFocus(true);
            setBegunIn(thread.uuid);
          }}
          onBlur={() => {
            setHasFocus(false);
            typing.stop(isNothing);
          }}
          autosize
          minRows={2}
          maxRows={10}
          enterKeyHint="send"
          aria-invalid={text.length > longest || undefined}
          aria-autocomplete="list"
          aria-controls={isAsking ? list : undefined}
          aria-activedescendant={isAsking && chosen ? `${list}-${chosen.key}` : undefined}
        />
        {!isNote && uploads.uploads.length > 0 && <Tray uploads={uploads} isOnLine={thread.channel === 'line'} />}
        <div className={classes['tools']}>
          {!isNote && (
            <>
              <FileButton
                onChange={(chosenFiles) => {
                  uploads.add(chosenFiles);
                  reset.current?.(); // so that the same file can be chosen again
                }}
                resetRef={reset}
                multiple
                inputProps={{ 'aria-label': t('files.add') }}
              >
                {(props) => (
                  <IconButton {...props} label={t('files.add')}>
                    <IconPaperclip size={16} stroke={1.75} aria-hidden />
                  </IconButton>
                )}
              </FileButton>
              <IconButton label={t('canned.title')} onClick={() => setOpened('canned')} {...CannedDialog.reach}>
                <IconBolt size={16} stroke={1.75} aria-hidden />
              </IconButton>
              {thread.channel === 'line' && (
                <IconButton label={t('composer.rich')} onClick={() => setOpened('rich')} {...rich.reach}>
                  <IconLayoutCards size={16} stroke={1.75} aria-hidden />
                </IconButton>
              )}
              {thread.bot && (
                <IconButton
                  className={classes['suggest'] ?? ''}
                  label={t('assist.suggest')}
                  withLabel
                  onClick={() => setOpened(opened === 'draft' ? undefined : 'draft')}
                  {...DraftPanel.reach}
                >
                  <IconQuote size={15} stroke={1.75} aria-hidden />
                </IconButton>
              )}
              {text.trim() !== '' && (
                <IconButton
                  label={t('translate.draft')}
                  onClick={() => setOpened(opened === 'translation' ? undefined : 'translation')}
                  {...Translation.reach}
                >
                  <IconLanguage size={16} stroke={1.75} aria-hidden />
                </IconButton>
              )}
            </>
          )}
          {text.length > long && (
            <span className={classes['length']} data-over={text.length > longest || undefined} aria-live="polite">
              {t('composer.length', { length: formatNumber(text.length), longest: formatNumber(longest) })}
            </span>
          )}
          <Button
            className={classes['send'] ?? ''}
            size="xs"
            onClick={tryToSend}
            disabled={!isReady}
            {...(isNote && { variant: 'default' })}
          >
            {t(isNote ? 'composer.addNote' : 'composer.send')}
          </Button>
        </div>
      </div>
      {opened === 'canned' && (
        <CannedDialog onUse={(canned) => useText(text + withNames(canned, names))} onClose={close} onFail={close} />
      )}
      {opened === 'rich' && (
        <rich.Dialog
          title={t('composer.rich')}
          choose={t('composer.send')}
          onChoose={({ uuid, draft: { alt } }) => {
            onSend({ kind: 'reply', text: alt, files: [], rich: uuid });
            close();
          }}
          onClose={close}
        />
      )}
      <ConfirmDialog
        opened={opened === 'unfilled'}
        isHarmless
        title={t('unfilled.title', { variables: unfilled.map((each) => each.text).join(t('common:comma')) })}
        text={t('unfilled.text')}
        confirm={t('taken.send')}
        cancel={t('unfilled.edit')}
        onConfirm={() => {
          if (taken) return setOpened('taken');
          close();
          return send();
        }}
        onClose={close}
      />
      {taken && (
        <ConfirmDialog
          opened={opened === 'taken'}
          isHarmless
          title={t('taken.title', { name: taken.name })}
          text={t('taken.text', { name: taken.name })}
          confirm={t('taken.send')}
          cancel={t('common:cancel')}
          onConfirm={() => {
            close();
            send();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What the marks of a canned reply stand for; nothing where nobody knows it. */
function useNames({ name, named }: GuestFace) {
  const staff = useUser()?.displayName ?? '';
  const shop = useWorkspace()?.shop ?? '';
  return { name: named ? name : '', staff, shop };
}

/** Canned replies by their shortcut or title, members by their names; those that begin with what was typed first. */
function useFound(asked: ReturnType<typeof askedFor>, names: ReturnType<typeof useNames>) {
  const stored = useCanned();
  const canned = stored.data ?? [];
  const staff = useStaff({ isChoosing: asked?.sign === '@' }).data ?? [];
  if (!asked) return { found: [], total: 0, isKnown: false };
  const word = asked.word.toLocaleLowerCase();
  const all: Suggestion[] =
    asked.sign === '/'
      ? canned.map(({ uuid, shortcut, title, text }) => ({
          key: uuid,
          name: `/${shortcut}`,
          detail: title,
          text: withNames(text, names),
        }))
      : staff.map(({ uuid, name }) => ({ key: uuid, name: `@${name}`, detail: '', text: `@${name} ` }));
  const fits = ({ name, detail }: Suggestion) =>
    name.slice(1).toLocaleLowerCase().startsWith(word) ? 2 : detail.toLocaleLowerCase().includes(word) ? 1 : 0;
  const found = all
    .filter((each) => fits(each) > 0)
    .toSorted((one, other) => fits(other) - fits(one))
    .slice(0, 8);
  return { found, total: all.length, isKnown: stored.isSuccess };
}

/**
 * Tells the others, and silences the bot: at the first letter, then now and then, and when it is over; with nothing written then,
 * the conversation is given back.
 */
function useTyping(thread: string, isNothing: boolean) {
  const last = useRef(0);
  /** The bot is silent because of it; pausing does not end that, deleting everything does. */
  const isTaken = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const say = (isTyping: boolean, nothing = false) =>
    ask(typeInInbox, { thread, isTyping, ...(nothing && { nothing }) }).catch(() => {}); // nobody waits for it
  /** What was `sent` is nothing that was deleted. */
  const stop = (nothing: boolean, sent = false) => {
    clearTimeout(timer.current);
    if (last.current > 0 || (nothing && isTaken.current)) void say(false, nothing);
    last.current = 0;
    if (nothing || sent) isTaken.current = false;
  };
  const pause = useEffectEvent(() => stop(isNothing));
  useEffect(() => {
    const leave = () => pause();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  // Deleted is not over yet: most people write something else.
  useEffect(() => {
    if (!isNothing || !isTaken.current) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => pause(), stopMs);
  }, [isNothing]);
  return {
    tell() {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => stop(false), stopMs);
      if (Date.now() - last.current < tellMs) return;
      last.current = Date.now();
      isTaken.current = true;
      void say(true);
    },
    stop,
  };
}

interface TrayProps {
  uploads: ReturnType<typeof useUploads>;
  isOnLine: boolean;
}

function Tray({ uploads: { uploads, remove, retry }, isOnLine }: TrayProps) {
  const { t } = useTranslation('inbox');
  const isLink = (file: Attachment | undefined) =>
    isOnLine && file !== undefined && !file.mime.startsWith('image/') && !isPlayable(file.mime);
  return (
    <ul className={classes['tray']} aria-label={t('files.label')}>
      {uploads.map((upload) => (
        <li key={upload.id} data-failed={upload.state === 'failed' || undefined}>
          {upload.state === 'failed' ? (
            <IconAlertTriangle size={14} aria-hidden />
          ) : (
            <IconFile size={14} stroke={1.75} aria-hidden />
          )}
          <span>{upload.file.name}</span>
          {upload.state === 'sending' && <small role="status">{t('files.sending')}</small>}
          {isLink(upload.attachment) && <small role="status">{t('files.asLink')}</small>}
          {upload.state === 'failed' && <small role="alert">{upload.message}</small>}
          {upload.state === 'failed' && (
            <button type="button" onClick={() => retry(upload)}>
              {t('common:retry')}
            </button>
          )}
          <IconButton label={t('files.remove', { name: upload.file.name })} onClick={() => remove(upload.id)}>
            <IconX size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
