import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import { Button, Checkbox, Group, NumberInput, Radio, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { visibilities, type Bot, type Visibility } from '../../../shared/contracts/bots.ts';
import {
  categories,
  copyings,
  usualCreditsPerDay,
  type ExploreMode,
  type Listing,
} from '../../../shared/contracts/explore.ts';
import { pageRetentionDays } from '../../../shared/contracts/web-channels.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useWorkspace } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { State } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { visibilityIcons } from '../../ui/visibility-icons.ts';
import { useListing, useShowTo, type ListingFields } from './explore.queries.ts';
import { PublicCard } from './public-card.tsx';
import { addressOf } from './share-dialog.tsx';
import classes from './explore.module.css';

/** Who may use a bot: its editors, the workspace, who has its address, everybody. */
export function SharingDialog({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const { t } = useTranslation('explore');
  const listing = useListing(bot.uuid);
  const [turn, setTurn] = useState(0);
  /** Whether something is written that nobody has saved. */
  const isWritten = useRef(false);
  const [isAsked, setIsAsked] = useState(false);
  const leave = () => (isWritten.current ? setIsAsked(true) : onClose());
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  return (
    <Modal
      opened
      onClose={leave}
      closeOnEscape={!isAsked}
      title={t('sharing.title', { name: bot.name })}
      size={920}
      fullScreen={isPhone}
    >
      <ConfirmDialog
        opened={isAsked}
        title={t('sharing.discard.title')}
        text={t('sharing.discard.text')}
        confirm={t('sharing.discard.confirm')}
        cancel={t('common:unsaved.stay')}
        onConfirm={onClose}
        onClose={() => setIsAsked(false)}
      />
      {listing.data ? (
        <SharingForm
          key={turn}
          bot={bot}
          listing={listing.data.listing}
          mode={listing.data.mode}
          isWide={!isPhone}
          onWrite={(isNew) => (isWritten.current = isNew)}
          onAgain={() => setTurn(turn + 1)}
          onLeave={leave}
          onClose={onClose}
        />
      ) : listing.isPending ? (
        <SkeletonRows />
      ) : (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(listing.error)}
          retry={t('common:retry')}
          onRetry={() => void listing.refetch()}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  bot: Bot;
  listing: Listing | null;
  mode: ExploreMode;
  isWide: boolean;
  /** Hears whether what stands here is not what is kept. */
  onWrite(isNew: boolean): void;
  /** Begins again with what is kept now. */
  onAgain(): void;
  /** Asks first where something was written. */
  onLeave(): void;
  onClose(): void;
}

const longestSummary = 160;

/** What is there, or what is offered where nothing is. */
const fieldsOf = (bot: Bot, listing: Listing | null) => ({
  category: listing?.category ?? ('other' as const),
  languages: listing?.languages ?? [currentLocale()],
  summary: listing?.summary ?? [...bot.description].slice(0, longestSummary).join(''),
  copying: listing?.copying ?? ('none' as const),
  creditsPerDay: listing?.creditsPerDay ?? usualCreditsPerDay,
});

/** While it is typed a number may be missing. */
type Fields = Omit<ListingFields, 'visibility' | 'seen' | 'creditsPerDay'> & { creditsPerDay: number | '' };

function SharingForm({ bot, listing, mode, isWide, onWrite, onAgain, onLeave, onClose }: FormProps) {
  const { t } = useTranslation('explore');
  const [visibility, setVisibility] = useState<Visibility>(bot.visibility);
  const [filled, setFilled] = useState<Fields>(fieldsOf(bot, listing));
  const [fields, setFields] = useState(filled);
  // Of what the fields were filled with, however often it is fetched meanwhile.
  const [seen, setSeen] = useState(listing?.updatedAt ?? null);
  /** The summary was there to be written. */
  const [isLeft, setIsLeft] = useState(false);
  const change = (next: Partial<Fields>) => setFields((before) => ({ ...before, ...next }));
  const show = useShowTo(bot.uuid);
  const isPublic = visibility === 'public';
  const isForOthers = isPublic || visibility === 'link';
  const mayPublish = mode !== 'off' && bot.published !== null;
  const summary = fields.summary.trim() || (isPublic ? '' : bot.name);
  const { creditsPerDay } = fields;
  const isWhole = !isForOthers || (summary !== '' && fields.languages.length > 0 && creditsPerDay !== '');
  const isWritten = JSON.stringify(fields) !== JSON.stringify(filled);
  const isChanged = visibility !== bot.visibility || (isForOthers && (!listing || isWritten));
  const tell = useEffectEvent(onWrite);
  useEffect(() => void tell(isWritten), [isWritten]);
  const wasForOthers = bot.visibility === 'link' || bot.visibility === 'public';
  const ends = (!isForOthers && wasForOthers) || (visibility === 'private' && bot.visibility === 'workspace');
  const isUnlisted = visibility === 'link' && bot.visibility === 'public';
  const saved = (kept: Listing | null) => {
    setSeen(kept?.updatedAt ?? null);
    if (kept) setFilled(fieldsOf(bot, kept));
    toast.success(t('sharing.saved'));
    // As it is kept, so that nothing looks changed.
    if (isForOthers) change({ summary });
    if (!isForOthers) onClose();
  };
  const preview = <Preview bot={bot} listing={listing} fields={fields} />;
  const picture = listing && <Picture bot={bot} listing={listing} summary={summary} />;
  const limits = (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <div>
        <Select
          label={t('sharing.copying.label')}
          description={t(`sharing.copying.${fields.copying}.text`)}
          inputWrapperOrder={['label', 'input', 'description']}
          value={fields.copying}
          onChange={(next) => change({ copying: copyings.find((each) => each === next) ?? fields.copying })}
          data={copyings.map((value) => ({ value, label: t(`sharing.copying.${value}.name`) }))}
          allowDeselect={false}
        />
        {fields.copying !== 'none' && (
          <details className={classes['whole']}>
            <summary>
              <IconChevronRight size={14} aria-hidden />
              {t('sharing.copying.what')}
            </summary>
            <p>{t(`sharing.copying.whole.${fields.copying}`)}</p>
          </details>
        )}
      </div>
      <NumberInput
        label={t('sharing.credits')}
        description={t('sharing.creditsHint')}
        inputWrapperOrder={['label', 'input', 'description']}
        value={creditsPerDay}
        onChange={(next) => change({ creditsPerDay: typeof next === 'number' && next >= 1 ? next : '' })}
        min={1}
        max={100_000}
        allowDecimal={false}
        allowNegative={false}
        hideControls={!isWide}
        clampBehavior="strict"
      />
    </SimpleGrid>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isForOthers) return show.mutate(visibility, { onSuccess: saved });
        if (creditsPerDay === '') return;
        show.mutate({ ...fields, summary, creditsPerDay, visibility, seen }, { onSuccess: saved });
      }}
    >
      <div className={classes['sharing']}>
        <Radio.Group
          value={visibility}
          onChange={(next) => setVisibility(visibilities.find((each) => each === next) ?? visibility)}
          aria-label={t('sharing.who')}
        >
          <div className={classes['choice']}>
            {visibilities.map((each) => {
              const Icon = visibilityIcons[each];
              return (
                <Radio
                  key={each}
                  className={classes['option'] ?? ''}
                  value={each}
                  label={
                    <>
                      <Icon size={16} stroke={1.75} aria-hidden />
                      {t(`sharing.visibility.${each}.name`)}
                      {each === bot.visibility && each !== visibility && <small>{t('sharing.now')}</small>}
                    </>
                  }
                  description={t(`sharing.visibility.${each}.text`)}
                  disabled={(each === 'link' || each === 'public') && !mayPublish}
                />
              );
            })}
          </div>
        </Radio.Group>
        {!mayPublish && (
          <Text size="sm" c="dimmed">
            {t(mode === 'off' ? 'sharing.off' : 'sharing.unpublished')}
          </Text>
        )}
        {(ends || isUnlisted) && (
          <p role="status" className={classes['ends']}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>
              {ends
                ? t(`sharing.ends.${wasForOthers ? (visibility === 'private' ? 'private' : 'workspace') : 'members'}`)
                : t('sharing.unlists')}
              {ends && bot.visibility === 'public' && <span>{t('sharing.ends.leaves')}</span>}
              {ends && <small>{t('sharing.about')}</small>}
            </span>
          </p>
        )}
        {listing && isForOthers && listing.state !== 'listed' && <ListingState listing={listing} />}
        {mode === 'review' && isPublic && (
          <Text size="sm" c="dimmed">
            {t('sharing.review')}
          </Text>
        )}
        {isForOthers ? (
          <div className={classes['shown']}>
            <Stack>
              {listing &&
                (isWide ? (
                  <CopyField
                    label={t('share.link')}
                    value={addressOf(bot.uuid)}
                    copyLabel={t('common:copy')}
                    copiedLabel={t('common:copied')}
                    quiet
                  />
                ) : (
                  <div className={classes['address']}>
                    <b>{t('share.link')}</b>
                    <span>{addressOf(bot.uuid).replace(/^https?:\/\//, '')}</span>
                    <CopyText
                      value={addressOf(bot.uuid)}
                      copyLabel={t('share.copy')}
                      copiedLabel={t('common:copied')}
                      quiet
                    />
                  </div>
                ))}
              <Textarea
                label={t('sharing.summary')}
                description={t('sharing.summaryHint', {
                  used: formatNumber(fields.summary.length),
                  most: formatNumber(longestSummary),
                })}
                value={fields.summary}
                onChange={(event) => change({ summary: event.currentTarget.value })}
                maxLength={longestSummary}
                autosize
                minRows={2}
                required={isPublic}
                error={isPublic && isLeft && summary === '' && t('sharing.summaryMissing')}
                onBlur={() => setIsLeft(true)}
              />
              {isPublic && (
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
                  <Select
                    label={t('sharing.category')}
                    value={fields.category}
                    onChange={(next) =>
                      change({ category: categories.find((each) => each === next) ?? fields.category })
                    }
                    data={categories.map((value) => ({ value, label: t(`categories.${value}`) }))}
                    allowDeselect={false}
                  />
                  <Checkbox.Group
                    label={t('sharing.languages')}
                    value={fields.languages}
                    onChange={(next) =>
                      change({ languages: (['en', 'ja'] as const).filter((each) => next.includes(each)) })
                    }
                  >
                    <Group mih={36}>
                      <Checkbox value="en" label={t('languages.en')} />
                      <Checkbox value="ja" label={t('languages.ja')} />
                    </Group>
                  </Checkbox.Group>
                </SimpleGrid>
              )}
              {isWide ? (
                limits
              ) : (
                <details className={classes['fold']} {...(creditsPerDay === '' && { open: true })}>
                  <summary>
                    <IconChevronRight size={16} aria-hidden />
                    <span>
                      {t('sharing.more')}
                      <small>
                        {t('sharing.moreNow', {
                          copying: t(`sharing.copying.${fields.copying}.name`),
                          credits: creditsPerDay === '' ? '–' : formatNumber(creditsPerDay),
                        })}
                      </small>
                    </span>
                  </summary>
                  {limits}
                </details>
              )}
              {!isWide && (isPublic || listing?.state === 'listed') && (
                <details className={classes['fold']}>
                  <summary>
                    <IconChevronRight size={16} aria-hidden />
                    {t('sharing.preview')}
                  </summary>
                  {isPublic ? preview : picture}
                </details>
              )}
              <Text size="xs" c="dimmed">
                {t('sharing.kept', { days: pageRetentionDays })}
              </Text>
            </Stack>
            {isWide && isPublic && preview}
            {isWide && !isPublic && picture}
          </div>
        ) : (
          !ends && (
            <Text size="sm" c="dimmed">
              {t('sharing.about')}
            </Text>
          )
        )}
      </div>
      <div className={classes['foot']}>
        {show.error instanceof ApiError && show.error.code === 'conflict' && (
          <Button variant="default" size="xs" mb="xs" onClick={onAgain}>
            {t('sharing.again')}
          </Button>
        )}
        <FormActions
          error={problemOf(show.error)}
          submit={t(
            visibility === bot.visibility
              ? 'sharing.save'
              : `sharing.set.${isUnlisted ? 'unlisted' : ends && visibility === 'workspace' ? 'only' : visibility}`,
          )}
          cancel={t(isChanged ? 'common:cancel' : 'common:close')}
          isBusy={show.isPending}
          disabled={!isWhole || !isChanged}
          isGrave={ends}
          onClose={onLeave}
        />
      </div>
    </form>
  );
}

/** Why others do not see it yet, or no longer. */
function ListingState({ listing }: { listing: Listing }) {
  const { t } = useTranslation('explore');
  const isWaiting = listing.state === 'review';
  return (
    <div role="status">
      <State kind={isWaiting ? 'working' : 'failed'}>
        {t(`sharing.states.${isWaiting ? 'review' : 'taken-down'}`)}
      </State>
      {listing.reason && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {t('sharing.reason', { reason: listing.reason })}
        </Text>
      )}
    </div>
  );
}

interface PreviewProps {
  bot: Bot;
  listing: Listing | null;
  fields: Pick<Fields, 'summary' | 'copying' | 'category'>;
}

/** How it is found, and what other sites show of it. */
function Preview({ bot, listing, fields: { summary, copying, category } }: PreviewProps) {
  const { t } = useTranslation('explore');
  const maker = useWorkspace()?.name ?? '';
  return (
    <Stack gap="sm">
      <div className={classes['picture']}>
        <span className={classes['quiet']}>{t('sharing.card')}</span>
        <PublicCard
          isPreview
          bot={{
            ...bot,
            listing: '',
            maker,
            summary: summary || t('sharing.noSummary'),
            tries: listing?.tries ?? 0,
            copying,
            category,
          }}
        />
      </div>
      {listing && <Picture bot={bot} listing={listing} summary={summary} />}
    </Stack>
  );
}

/** What other sites show of it once it is there. */
function Picture({ bot, listing, summary }: { bot: Bot; listing: Listing; summary: string }) {
  const { t } = useTranslation('explore');
  if (listing.state !== 'listed') return null;
  return (
    <figure className={classes['picture']}>
      <figcaption className={classes['quiet']}>{t('sharing.picture')}</figcaption>
      <img
        className={classes['preview']}
        src={`/api/public/bot/${bot.uuid}/picture.png?v=${Date.parse(listing.updatedAt)}`}
        alt={t('sharing.picture')}
        width={1200}
        height={630}
      />
      {summary.trim() !== listing.summary && <small role="status">{t('sharing.pictureLater')}</small>}
    </figure>
  );
}
