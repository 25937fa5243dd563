import { ActionIcon, Button, Textarea, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { RichMessage } from '../../../shared/contracts/rich-messages.ts';
import type { RichDraft } from '../../../shared/rich-message.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { formatList, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useSharedEdit } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { later } from '../../ui/later.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { useUndo } from '../../ui/use-undo.ts';
import { letterOf } from './areas.ts';
import { CardFields } from './card-fields.tsx';
import { CouponFields } from './coupon-fields.tsx';
import { Fold } from './fold.tsx';
import { countBlank, lineOfEdit, proposeName, readFlex, toDraft, toEdit, type Edit } from './draft.ts';
import { Phone } from './phone.tsx';
import { RichMenu } from './rich-menu.tsx';
import classes from './rich-messages.module.css';
import { useCreateRich, useSaveRich } from './rich-messages.queries.ts';

const FlexFields = later(async () => (await import('./flex-fields.tsx')).FlexFields);
const RenameRich = later(async () => (await import('./rename-rich.tsx')).RenameRich);
const ImagemapFields = later(async () => (await import('./imagemap-fields.tsx')).ImagemapFields);

/** Fields that cannot be fetched are no reason to throw away what was begun. */
const stay = () => {};

const longestAlt = 1500;

interface Props {
  /** Where it leads back to. */
  channel: { uuid: string; name: string };
  /** Nothing where it is not stored yet. */
  message: RichMessage | undefined;
  begin: { name: string; edit: Edit };
  /** Where it goes from here, once it is stored. */
  ways?: ReactNode;
  /** Begins a broadcast that says it, as it is stored. */
  broadcast?: { isBusy: boolean; begin(name: string): void };
  onCreated(uuid: string): void;
  onLeft(): void;
}

/** A rich message with what LINE would draw of it beside the form. */
export function RichEditor({ channel, message, begin, ways, broadcast, onCreated, onLeft }: Props) {
  const { t } = useTranslation('rich-messages');
  const edited = useSharedEdit(message ? toEdit(message.draft) : begin.edit, message?.updatedAt ?? '');
  const { values: edit, changes, seen } = edited;
  const [firstName, setFirstName] = useState(begin.name);
  const name = message?.name ?? firstName;
  /** Asked for where it is pressed, or before a new one without a name is saved. */
  const [naming, setNaming] = useState<'pressed' | 'saving'>();
  const [isTold, setIsTold] = useState(false);
  const [side, setSide] = useState<'form' | 'preview'>('form');
  const [card, setCard] = useState(0);
  const mayEdit = useMay('edit');
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  const form = useRef<HTMLDivElement>(null);
  /** Where it stood when the preview was looked at. */
  const formAt = useRef(0);
  const create = useCreateRich();
  const save = useSaveRich(message?.uuid ?? '');
  const failure = message ? save.error : create.error;
  const isBusy = save.isPending || create.isPending;
  // One that is new is lost as a whole.
  const isDirty = message ? changes > 0 : !create.isSuccess;
  const guard = useUnsavedGuard(isDirty);
  const undo = useUndo();
  const [isAsked, setIsAsked] = useState(false);
  const fields = failure instanceof ApiError ? failure.fields : {};
  const isPictureless = edit.kind === 'imagemap' && edit.picture === null;
  const error = (path: string): string | undefined =>
    path === 'picture' && isPictureless && isTold ? t('imagemap.pictureMissing') : fields[`draft.${path}`];
  /** Whether anything is wrong in one of them, which may be closed. */
  const isWrong = (of: 'cards' | 'areas', at: number) =>
    Object.keys(fields).some((path) => `${path}.`.startsWith(`draft.${of}.${at}.`));
  const [heard, setHeard] = useState(failure);
  if (failure !== heard) {
    setHeard(failure);
    const wrong = edit.kind === 'cards' ? edit.cards.findIndex((_, each) => isWrong('cards', each)) : -1;
    if (wrong >= 0 && !isWrong('cards', card)) setCard(wrong);
  }
  const onEdit = (next: Edit) => {
    // Nobody would hear any more of one that is on its way.
    if (save.isError) save.reset();
    if (create.isError) create.reset();
    undo.changed();
    edited.set(next);
  };
  const goToFault = () => {
    setSide('form');
    goToFaultIn(document);
  };
  const show = (next: typeof side) => {
    if (next === 'preview') formAt.current = window.scrollY;
    setSide(next);
    const top = next === 'form' ? formAt.current : 0;
    requestAnimationFrame(() => window.scrollTo({ top }));
  };
  /** The first area, card or field that is still to be filled in. */
  const goToBlank = () => {
    setSide('form');
    requestAnimationFrame(() => {
      form.current?.querySelector<HTMLElement>('[data-blank]')?.click();
      requestAnimationFrame(focusBlank);
    });
  };
  const focusBlank = () => {
    const blank = form.current?.querySelector(
      `.${classes['blank']}:not(.${classes['overlap']}), .mantine-InputWrapper-error`,
    );
    const fold = blank?.closest<HTMLElement>('[aria-expanded=false]');
    fold?.click();
    if (fold) requestAnimationFrame(focusBlank);
    else blank?.parentElement?.querySelector<HTMLElement>('input, textarea')?.focus();
  };
  const submit = (then?: () => void, called = name) => {
    setIsTold(true);
    const isUnread = edit.kind === 'flex' && readFlex(edit.source).fault !== undefined;
    const isNameless = !message && called.trim() === '';
    if (isPictureless || isUnread || (isNameless && edit.alt.trim() === '')) return goToFault();
    if (isNameless) return setNaming('saving');
    // A border: the server says what is missing.
    const draft = toDraft(edit) as RichDraft;
    if (!message)
      return create.mutate({ name: called, draft }, { onSuccess: ({ uuid }) => onCreated(uuid), onError: goToFault });
    return save.mutate(
      { draft, ...(seen && { seen }) },
      {
        onSuccess: ({ updatedAt }) => {
          edited.onSaved(edit, updatedAt);
          setIsTold(false);
          then?.();
        },
        onError: (problem) => {
          // Saved again, it takes the place of what somebody else has saved.
          if (isConflict(problem)) edited.onConflict();
          else goToFault();
        },
      },
    );
  };
  const told = (problem: unknown) => {
    const letters =
      edit.kind === 'imagemap' ? edit.areas.flatMap((_, at) => (isWrong('areas', at) ? [letterOf(at)] : [])) : [];
    const isOnlyAreas = Object.keys(fields).every((path) => path.startsWith('draft.areas.'));
    if (letters.length > 0 && isOnlyAreas)
      return t('areas.wrong', { count: letters.length, letters: formatList(letters) });
    return isConflict(problem) ? t('editor.conflict') : (fields['name'] ?? errorText(problem));
  };
  const line = lineOfEdit(edit, {
    title: t('cards.heading'),
    text: t('cards.text'),
    name: t('cards.factNameExample'),
    value: t('cards.factValueExample'),
    offer: t('coupon.discount'),
    about: t('coupon.title'),
    code: t('coupon.code'),
  });
  const cards = edit.kind === 'cards' ? edit.cards.length : 0;
  const at = Math.min(card, Math.max(0, cards - 1));
  const phone = (
    <Phone
      name={channel.name}
      lines={line === undefined ? [] : [line]}
      alt={edit.alt}
      card={cards > 1 ? at : undefined}
    />
  );
  const blank = countBlank(edit);
  const altFault = isTold && edit.alt.trim() === '' ? t('editor.altMissing') : error('alt');
  const alt = (
    <Fold
      isLong
      title={t('editor.alt')}
      now={edit.alt}
      isOpen={edit.alt.trim() === ''}
      isWrong={altFault !== undefined}
    >
      <div className={classes['fields']}>
        <Textarea
          aria-label={t('editor.alt')}
          description={t('editor.altHint')}
          value={edit.alt}
          maxLength={longestAlt}
          autosize
          minRows={1}
          onChange={(event) => onEdit({ ...edit, alt: event.currentTarget.value })}
          error={altFault}
        />
        <small className={classes['count']}>
          {t('editor.count', { count: formatNumber(edit.alt.length), most: formatNumber(longestAlt) })}
        </small>
      </div>
    </Fold>
  );
  const kind = t(`kinds.${edit.kind}`);
  const isSaved = message !== undefined && changes === 0;
  const title = name || t('editor.new');
  const toBroadcast =
    broadcast && mayEdit && (() => (isDirty ? submit(() => broadcast.begin(name)) : broadcast.begin(name)));
  // The head of a phone has no room for it.
  const broadcastBelow = isPhone && message && toBroadcast && (
    <Button fullWidth mt="lg" variant={isSaved ? 'filled' : 'default'} loading={broadcast.isBusy} onClick={toBroadcast}>
      {t('ways.broadcast')}
    </Button>
  );
  return (
    <Page
      width="full"
      above={
        <>
          <Link to="/Line-Channel/$id" params={{ id: channel.uuid }} search={{ tab: 'messages' }}>
            {channel.name}
          </Link>
          <span aria-hidden>/</span>
        </>
      }
      title={title}
      // A phone has no room for facts beside the name.
      heading={
        isPhone ? (
          <span className={classes['named']}>
            <span>
              <span>{title}</span>
              {mayEdit && (
                <UnstyledButton aria-label={t('editor.rename')} onClick={() => setNaming('pressed')}>
                  <IconPencil size={14} aria-hidden />
                </UnstyledButton>
              )}
            </span>
            <small>
              {name !== kind && kind}
              <span role="status">{isSaved && [name !== kind && t('common:dot'), t('editor.saved')]}</span>
            </small>
          </span>
        ) : undefined
      }
      facts={
        <>
          {mayEdit && !isPhone && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              className={classes['rename'] ?? ''}
              aria-label={t('editor.rename')}
              title={t('editor.rename')}
              onClick={() => setNaming('pressed')}
            >
              <IconPencil size={14} />
            </ActionIcon>
          )}
          {/* One that is called as its kind does not say it twice. */}
          {name !== kind && kind}
          {!isPhone && (
            <>
              {name !== kind && isSaved && t('common:dot')}
              <span role="status">{isSaved && t('editor.saved')}</span>
            </>
          )}
        </>
      }
      actions={
        <>
          {!isWide && (
            <Button variant="default" onClick={() => show(side === 'form' ? 'preview' : 'form')}>
              {t(side === 'form' ? 'editor.sides.preview' : 'editor.sides.form')}
            </Button>
          )}
          {message && toBroadcast && !isPhone && (
            <Button
              variant={isSaved ? 'filled' : 'default'}
              title={t('ways.broadcastHint')}
              loading={broadcast.isBusy}
              onClick={toBroadcast}
            >
              {t('ways.broadcast')}
            </Button>
          )}
          {message && (
            <RichMenu
              message={message}
              onRename={mayEdit ? () => setNaming('pressed') : undefined}
              onBroadcast={(isPhone && !broadcast?.isBusy && toBroadcast) || undefined}
              onCopied={onCreated}
              onRemoved={onLeft}
            />
          )}
        </>
      }
    >
      <div className={classes['page']}>
        <div className={classes['editor']} data-side={side}>
          <div ref={form}>
            {edit.kind === 'imagemap' && (
              <ImagemapFields
                edit={edit}
                onChange={onEdit}
                undo={undo}
                error={error}
                isWrong={(area) => isWrong('areas', area)}
                fault={failure}
                onFail={stay}
              />
            )}
            {edit.kind === 'cards' && (
              <CardFields
                edit={edit}
                onChange={onEdit}
                error={error}
                isWrong={(card) => isWrong('cards', card)}
                open={card}
                onOpen={setCard}
              />
            )}
            {edit.kind === 'coupon' && <CouponFields edit={edit} onChange={onEdit} error={error} />}
            {edit.kind === 'flex' && <FlexFields edit={edit} onChange={onEdit} onFail={stay} />}
            {alt}
            {!isWide && ways}
            {broadcastBelow}
          </div>
          <aside aria-label={t('editor.preview')}>
            {phone}
            {cards > 1 && (
              <div className={classes['steps']}>
                <IconButton label={t('cards.previous')} disabled={at === 0} onClick={() => setCard(at - 1)}>
                  <IconChevronLeft size={18} stroke={1.75} aria-hidden />
                </IconButton>
                <span>{t('cards.at', { number: at + 1, count: cards })}</span>
                <IconButton label={t('cards.next')} disabled={at === cards - 1} onClick={() => setCard(at + 1)}>
                  <IconChevronRight size={18} stroke={1.75} aria-hidden />
                </IconButton>
              </div>
            )}
            <p className={classes['hint']}>{t('editor.previewHint')}</p>
            {blank > 0 && (
              <p className={classes['blank']}>
                <button type="button" onClick={goToBlank}>
                  {t('editor.blank', { count: blank })}
                </button>
              </p>
            )}
            {isWide && ways}
            {broadcastBelow}
          </aside>
        </div>
        <SaveBar
          changes={message ? changes : 1}
          label={t(message ? 'editor.changed' : 'editor.unsaved')}
          isBusy={isBusy}
          error={failure ? told(failure) : undefined}
          onDiscard={() => {
            if (!message) return changes > 0 || name !== begin.name ? setIsAsked(true) : onLeft();
            save.reset();
            setIsTold(false);
            edited.discard();
            return undo.offer(t('editor.discarded'), () => edited.set(edit), { untilChanged: true });
          }}
          onSave={() => submit()}
        />
      </div>
      {naming && (
        <RenameRich
          message={message}
          name={name || proposeName(edit) || t(`kinds.${edit.kind}`)}
          seen={seen}
          onNamed={(next) => {
            setFirstName(next);
            setNaming(undefined);
            if (naming === 'saving') submit(undefined, next);
          }}
          // What is not saved yet stays: none of it was sent.
          onRenamed={({ updatedAt }) => edited.onSaved(structuredClone(edit), updatedAt)}
          onFail={() => setNaming(undefined)}
          onClose={() => setNaming(undefined)}
        />
      )}
      <ConfirmDialog {...guard} />
      <ConfirmDialog
        opened={isAsked}
        title={t('editor.discardTitle')}
        text={t('editor.discardText')}
        confirm={t('common:discard')}
        cancel={t('common:cancel')}
        onConfirm={onLeft}
        onClose={() => setIsAsked(false)}
      />
    </Page>
  );
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';
