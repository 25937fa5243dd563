import { Anchor, Button, Input, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type ComponentType } from 'react';
import { lineGroupModes, type LineChannel, type LineSettings } from '../../../shared/contracts/line-channels.ts';
import type { LineBubble } from '../../../shared/line-content.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { formatNumber, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { CapField } from '../../ui/cap-field.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { AccountLinkPart, missingIn } from './account-link.tsx';
import classes from './line-channels.module.css';
import { useSaveLine } from './line-channels.queries.ts';
import { VoiceFields } from './voice-fields.tsx';

interface Values extends LineSettings {
  name: string;
  /** Written only: empty leaves what is stored. */
  secret: string;
}

const mostStop = 1_000_000_000;
const mostCredits = 1_000_000;

/** How bubbles of LINE are written and drawn, by another feature. */
export interface ContentParts {
  Field: ComponentType<{
    label: string;
    value: LineBubble[];
    onChange(bubbles: LineBubble[]): void;
    error(path: string): string | undefined;
  }>;
  Preview: ComponentType<{ name: string; value: LineBubble[]; empty: string }>;
  /** Without those in which there is nothing yet. */
  filled(bubbles: LineBubble[]): LineBubble[];
}

/** What a channel does, what it says to new friends, and its secret. */
export function Settings({ channel, content }: { channel: LineChannel; content: ContentParts }) {
  const { t } = useTranslation('line-channels');
  const mayChange = useMay('manage');
  const saved: Values = { ...channel.settings, name: channel.name, secret: '' };
  const { values, changes, set: edit, discard, onSaved } = useEdited(saved);
  /** What was saved when the first of these changes was made. */
  const [begun, setBegun] = useState<{ saved: Values; seen: string | undefined }>();
  const [isTold, setIsTold] = useState(false);
  const save = useSaveLine(channel.uuid);
  const guard = useUnsavedGuard(changes > 0);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const isNameless = values.name.trim() === '';
  const isModelless = values.transcription?.model.trim() === '';
  const missing = missingIn(values.accountLink);
  const isIncomplete = isNameless || isModelless || missing.length > 0;
  const set = (next: Partial<Values>) => {
    // Nobody would hear any more of one that is on its way.
    if (save.isError) save.reset();
    setBegun((at) => at ?? { saved, seen: channel.updatedAt });
    edit({ ...values, ...next });
  };
  const submit = () => {
    setIsTold(isIncomplete);
    if (isIncomplete) return goToFaultIn(document);
    const before = begun?.saved ?? saved;
    const { secret, ...others } = values;
    save.mutate(
      {
        ...differing(before, {
          ...others,
          greeting: content.filled(others.greeting),
        }),
        ...(secret.trim() && { secret: secret.trim() }),
        seen: begun ? begun.seen : channel.updatedAt,
      },
      {
        onSuccess: () => {
          onSaved(values);
          setBegun((now) => (now === begun ? undefined : now));
          toast.success(t('settings.saved'));
        },
        onError: (error) => {
          // Saved again, it takes the place of what somebody else has saved.
          if (isConflict(error)) setBegun((now) => now && { ...now, seen: undefined });
          else goToFaultIn(document);
        },
      },
    );
  };
  return (
    <>
      {!mayChange && <p className={classes['text']}>{t('settings.readOnly')}</p>}
      <fieldset className={classes['form']} disabled={!mayChange}>
        <Section title={t('settings.general')}>
          <Stack className={classes['fields'] ?? ''}>
            <TextInput
              label={t('common:name')}
              description={t('settings.nameHint')}
              value={values.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              maxLength={80}
              error={(isTold && isNameless && t('common:required')) || fields['name']}
            />
            <p className={classes['text']}>
              {t('settings.bot')}
              {gap()}
              <Anchor
                inherit
                underline="always"
                renderRoot={(props) => <Link {...props} to={`/Bot-Connect/${channel.connection}`} />}
              >
                {t('settings.toBot')}
              </Anchor>
            </p>
          </Stack>
        </Section>
        <Section title={t('settings.greeting')}>
          <div className={classes['greeting']}>
            <Stack gap={10}>
              <p className={classes['text']}>{t('settings.greetingHint')}</p>
              {values.greeting.length === 0 && (
                <Button
                  variant="default"
                  size="xs"
                  style={{ justifySelf: 'start', alignSelf: 'start' }}
                  onClick={() =>
                    set({
                      greeting: [
                        {
                          type: 'text',
                          text: t('settings.greetingSuggested', { account: values.name, name: '{{name}}' }),
                        },
                      ],
                    })
                  }
                >
                  {t('settings.suggestGreeting')}
                </Button>
              )}
              <Suspense>
                <content.Field
                  label={t('settings.greeting')}
                  value={values.greeting}
                  onChange={(greeting) => set({ greeting })}
                  error={(path) => fields[`greeting.${path}`]}
                />
              </Suspense>
            </Stack>
            <aside aria-label={t('settings.preview')}>
              <Suspense>
                <content.Preview name={channel.name} value={values.greeting} empty={t('settings.previewEmpty')} />
              </Suspense>
            </aside>
          </div>
        </Section>
        <Section title={t('settings.conversations')}>
          <Stack className={classes['fields'] ?? ''}>
            <Input.Wrapper
              label={t('settings.groups')}
              labelElement="div"
              description={t(`settings.groupHints.${values.groups}`, { bot: channel.bot?.name ?? channel.name })}
              inputWrapperOrder={['label', 'input', 'description']}
            >
              <div className={classes['modes']}>
                <Segments
                  label={t('settings.groups')}
                  value={values.groups}
                  options={lineGroupModes.map((value) => ({ value, label: t(`settings.groupModes.${value}`) }))}
                  isWide
                  onChange={(groups) => set({ groups })}
                />
              </div>
            </Input.Wrapper>
            {(['loading', 'markRead', 'citations', 'pages'] as const).map((name) => (
              <Switch
                key={name}
                label={t(`settings.${name}`)}
                // LINE takes such marks only while its chat is on; while it is off, it makes them itself.
                {...(name === 'markRead' && channel.chatMode === 'bot'
                  ? { description: t('settings.markReadIdle'), disabled: true }
                  : { description: t(`settings.${name}Hint`) })}
                checked={values[name]}
                onChange={(event) => set({ [name]: event.currentTarget.checked })}
              />
            ))}
          </Stack>
        </Section>
        <Section title={t('settings.voices')}>
          <Stack className={classes['fields'] ?? ''}>
            <VoiceFields
              value={values.transcription}
              mayChange={mayChange}
              error={(isTold && isModelless && t('common:required')) || fields['transcription.model']}
              onChange={(transcription) => set({ transcription })}
            />
          </Stack>
        </Section>
        <AccountLinkPart
          value={values.accountLink}
          onChange={(accountLink) => set({ accountLink })}
          error={(field) =>
            (isTold && missing.includes(field) && t('common:required')) || fields[`accountLink.${field}`]
          }
        />
        <Section title={t('settings.costs')}>
          <Stack className={classes['fields'] ?? ''}>
            <CapField
              label={t('settings.stop')}
              description={
                values.stopAt === null
                  ? t('settings.stopNone')
                  : t('settings.stopHint', { shown: formatNumber(values.stopAt) })
              }
              amountLabel={t('settings.stopAt')}
              value={values.stopAt}
              usual={usualStop(channel.quota?.limit ?? null)}
              max={mostStop}
              onChange={(stopAt) => set({ stopAt })}
              error={fields['stopAt']}
            />
            <CapField
              label={t('settings.credits')}
              description={
                values.creditsPerDay === null
                  ? t('settings.creditsNone')
                  : t('settings.creditsHint', { shown: formatNumber(values.creditsPerDay) })
              }
              amountLabel={t('settings.creditsPerDay')}
              value={values.creditsPerDay}
              usual={100}
              max={mostCredits}
              onChange={(creditsPerDay) => set({ creditsPerDay })}
              error={fields['creditsPerDay']}
            />
          </Stack>
        </Section>
        <Section title={t('settings.access')}>
          <div className={classes['fields']}>
            <PasswordInput
              label={t('settings.secret')}
              description={t('settings.secretHint')}
              placeholder={t('settings.secretPlaceholder')}
              value={values.secret}
              onChange={(event) => set({ secret: event.currentTarget.value })}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('connect.paste.show') }}
              maxLength={60}
              error={fields['secret']}
            />
          </div>
        </Section>
      </fieldset>
      <SaveBar
        changes={changes}
        isBusy={save.isPending}
        error={
          save.error && Object.keys(fields).length === 0
            ? isConflict(save.error)
              ? t('settings.conflict')
              : errorText(save.error)
            : undefined
        }
        onDiscard={() => {
          save.reset();
          setIsTold(false);
          setBegun(undefined);
          discard();
        }}
        onSave={submit}
      />
      <ConfirmDialog {...guard} />
    </>
  );
}

/** A little before what the plan has. */
const usualStop = (limit: number | null) => (limit === null ? 1000 : Math.floor(limit * 0.9));

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';

function differing<T extends object>(from: T, to: Partial<T>): Partial<T> {
  const former = new Map<string, unknown>(Object.entries(from));
  // A border: `Object.fromEntries` forgets the names.
  return Object.fromEntries(
    Object.entries(to).filter(([name, value]) => JSON.stringify(former.get(name)) !== JSON.stringify(value)),
  ) as Partial<T>;
}
