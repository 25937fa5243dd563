import { Anchor, Button, Tabs, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCode, IconExternalLink, IconEye } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Connection } from '../../../shared/contracts/connections.ts';
import type { EmbedSettings, WebChannel } from '../../../shared/contracts/web-channels.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { currentLocale, useTranslation, type Locale } from '../../lib/i18n.ts';
import { useServices } from '../../lib/session.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Drawer } from '../../ui/overlays.tsx';
import { Page, Section, State } from '../../ui/page.tsx';
import bar from '../../ui/part-tabs.module.css';
import { useOpenTab } from '../../ui/use-open-tab.ts';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { ChannelMenu } from './channel-menu.tsx';
import { DomainsPart } from './domains-part.tsx';
import { FormPart } from './form-part.tsx';
import { HistoryPart } from './history-part.tsx';
import { HoursPart } from './hours-part.tsx';
import { LimitsPart } from './limits-part.tsx';
import { LocaleSegments } from './locale-switch.tsx';
import { LookPart } from './look-part.tsx';
import { partOf, parts, type Part, type PartProps, type Values } from './part.ts';
import { Preview, type Scheme } from './preview.tsx';
import { settingOf, withoutEmptyRows } from './setting.ts';
import { frameOf, stateKinds, stateOf } from './state.ts';
import { TextsPart } from './texts-part.tsx';
import classes from './web-channels.module.css';
import { useDraftOf, useRefresh, useSaveWebChannel, type ChannelChanges } from './web-channels.queries.ts';

const SnippetDialog = later(async () => (await import('./snippet-dialog.tsx')).SnippetDialog);

interface HoursProps {
  values: Pick<Values['connection'], 'hours' | 'awayText' | 'holidayText'>;
  japaneseHolidays: Connection['japaneseHolidays'];
  onChange(changes: Partial<HoursProps['values']>): void;
  fieldError(path: string): string | undefined;
}

interface Props {
  channel: WebChannel;
  connection: Connection;
  /** Which part of the form is open, or `snippet` for that dialog. */
  part: string | undefined;
  onPart(part: string | undefined): void;
  /** When people are there; another feature knows how that is set. */
  hoursFields(props: HoursProps): ReactNode;
  /** Whether what is set there can be kept. */
  areHoursWrong(hours: Values['connection']['hours']): boolean;
}

export function ChannelEditor({ channel, connection, part, onPart, hoursFields, areHoursWrong }: Props) {
  const { t } = useTranslation('web-channels');
  // The hours had a part of their own, which is still asked for by its name.
  const open: Part = part === 'hours' ? 'visitors' : (parts.find((each) => each === part) ?? 'look');
  const list = useOpenTab(open);
  const { hours, awayText, holidayText, handoff } = connection.settings;
  const seen: Seen = { channel: channel.updatedAt, connection: connection.updatedAt };
  const saved: Values = { settings: channel.settings, connection: { hours, awayText, holidayText, handoff } };
  const { values, changes, set: edit, discard, onSaved } = useEdited(saved);
  /** What was saved when the first of these changes was made. */
  const [begun, setBegun] = useState<{ saved: Values; seen: Seen | undefined }>();
  const save = useSaveWebChannel(channel);
  const guard = useUnsavedGuard(changes > 0);
  const [locale, setLocale] = useState<Locale>(currentLocale());
  const [visitors, setVisitors] = useState<Scheme>(useComputedColorScheme('light', { getInitialValueInEffect: false }));
  const [uploaded, setUploaded] = useState<{ uuid: string; url: string }>();
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const isWide = useMediaQuery('(min-width: 62em)', window.innerWidth >= 992);
  const refresh = useRefresh();
  const draft = useDraftOf(channel.bot?.uuid);
  const services = useServices();
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const fieldError = (path: string) =>
    fields[path] ?? Object.entries(fields).find(([each]) => each.startsWith(`${path}.`))?.[1];
  const faulty = new Set(Object.keys(fields).map(partOf));
  const { settings } = values;
  const isSchemeFree = settings.look.scheme === 'auto';
  const scheme = settings.look.scheme === 'auto' ? visitors : settings.look.scheme;
  const picture =
    settings.look.avatar === channel.settings.look.avatar
      ? channel.avatar
      : settings.look.avatar === uploaded?.uuid
        ? (uploaded ?? null)
        : null;

  const begin = () => {
    save.reset();
    setBegun((at) => at ?? { saved, seen });
  };
  const set = (next: Partial<EmbedSettings>) => {
    begin();
    edit({ ...values, settings: { ...settings, ...next } });
  };
  const setConnection = (next: Partial<Values['connection']>) => {
    begin();
    edit({ ...values, connection: { ...values.connection, ...next } });
  };
  const goTo = (next: Part) => onPart(next === 'look' ? undefined : next);
  const submit = () => {
    if (areHoursWrong(values.connection.hours)) {
      goTo('visitors');
      goToFaultIn(document);
      return;
    }
    const before = begun?.saved ?? saved;
    save.mutate(changesOf(before, values, begun?.seen ?? seen), {
      onSuccess: () => {
        onSaved(values);
        setBegun((now) => (now === begun ? undefined : now));
        toast.undo(t('saved'), t('common:undo'), () =>
          save.mutate(changesOf(values, before), { onError: (error) => toast.error(errorText(error)) }),
        );
      },
      onError: (error) => {
        // Saved again, it takes the place of what somebody else has saved.
        if (isConflict(error)) {
          setBegun((now) => now && { ...now, seen: undefined });
          void refresh();
          return;
        }
        const [first] = error instanceof ApiError ? Object.keys(error.fields) : [];
        if (first) goTo(partOf(first));
        goToFaultIn(document);
      },
    });
  };

  const shared: PartProps = { settings, set, locale, onLocale: setLocale, isLocaleAbove: isWide, fieldError };
  const forms: Record<Part, () => ReactNode> = {
    look: () => (
      <LookPart
        {...shared}
        channel={channel}
        handoff={values.connection.handoff}
        onHandoff={(next) => setConnection({ handoff: next })}
        onTexts={() => goTo('texts')}
        picture={picture}
        onPicture={(next) => {
          if (next) setUploaded(next);
          set({ look: { ...settings.look, avatar: next?.uuid ?? null } });
        }}
      />
    ),
    texts: () => (
      <TextsPart
        {...shared}
        bot={
          draft.data && {
            name: draft.data.name,
            greeting: draft.data.draft.greeting,
            starters: draft.data.draft.starters,
          }
        }
        isPeopleOnly={channel.bot === null}
      />
    ),
    access: () => (
      <div className={classes['sections']}>
        <Section title={t('access.domains')} count={settings.domains.length || undefined}>
          <DomainsPart {...shared} />
        </Section>
        <Section title={t('access.limits')}>
          <LimitsPart {...shared} />
        </Section>
      </div>
    ),
    visitors: () => (
      <div className={classes['sections']}>
        <HoursPart hours={values.connection.hours} isPeopleOnly={channel.bot === null}>
          {hoursFields({
            values: values.connection,
            japaneseHolidays: connection.japaneseHolidays,
            onChange: setConnection,
            fieldError,
          })}
        </HoursPart>
        <Section title={t('visitors.form')}>
          <FormPart {...shared} />
        </Section>
        <Section title={t('visitors.history')}>
          <HistoryPart {...shared} saved={channel.settings} />
        </Section>
      </div>
    ),
  };
  const service = services.find(({ uuid }) => uuid === draft.data?.draft.service);
  const preview = (
    <Preview
      channel={channel}
      setting={settingOf({
        channel,
        values,
        japaneseHolidays: connection.japaneseHolidays,
        bot: draft.data,
        takesImages: service?.capabilities.includes('vision') ?? false,
        avatar: picture,
        scheme,
      })}
      domain={settings.domains[0]}
      locale={locale}
      onLocale={isWide ? undefined : setLocale}
      scheme={scheme}
      onScheme={isSchemeFree ? setVisitors : undefined}
    />
  );

  return (
    <Page
      width="full"
      above={
        <>
          <Link to="/Web-Channel">{t('common:page.web-channels')}</Link>
          <span aria-hidden>/</span>
        </>
      }
      title={channel.name}
      {...(!isWide && {
        heading: (
          <span className={classes['name']}>
            {channel.name}
            <span className={classes['onPhone']}>
              <StateOf channel={channel} isPlain />
            </span>
          </span>
        ),
      })}
      facts={<StateOf channel={channel} />}
      actions={
        <>
          <Button
            visibleFrom="md"
            variant="subtle"
            color="gray"
            component="a"
            href={frameOf(channel)}
            target="_blank"
            leftSection={<IconExternalLink size={16} />}
          >
            {t('head.openPage')}
          </Button>
          {!isWide && (
            <Button
              className={classes['peek'] ?? ''}
              variant="default"
              leftSection={<IconEye size={18} stroke={1.75} aria-hidden />}
              onClick={() => setIsPreviewOpen(true)}
            >
              {t('preview.button')}
            </Button>
          )}
          <Button
            variant={stateOf(channel) === 'unseen' && changes === 0 ? 'filled' : 'default'}
            leftSection={isWide && <IconCode size={16} />}
            onClick={() => onPart('snippet')}
            {...SnippetDialog.reach}
          >
            {t('head.snippet')}
          </Button>
          <ChannelMenu channel={channel} />
        </>
      }
    >
      <div className={classes['editor']} data-fills-window={isWide || undefined}>
        <Tabs value={open} onChange={(next) => goTo(parts.find((each) => each === next) ?? 'look')} keepMounted={false}>
          <Tabs.List ref={list} className={bar['bar'] ?? ''}>
            {parts.map((each) => (
              <Tabs.Tab
                key={each}
                value={each}
                className={classes['part'] ?? ''}
                data-faulty={faulty.has(each) || undefined}
              >
                {t(`parts.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {isWide && (
            <div className={classes['language']}>
              <LocaleSegments locale={locale} onLocale={setLocale} />
            </div>
          )}
          <div className={classes['work']}>
            <div className={classes['form']} data-part={open}>
              <Tabs.Panel value={open}>
                {/* The heading is read as the name alone. */}
                {!isWide && (
                  <VisuallyHidden>
                    <StateOf channel={channel} isPlain />
                  </VisuallyHidden>
                )}
                {forms[open]()}
              </Tabs.Panel>
              <div className={classes['foot']}>
                <SaveBar
                  changes={changes}
                  isBusy={save.isPending}
                  error={
                    save.error && faulty.size === 0
                      ? isConflict(save.error)
                        ? t('conflict')
                        : errorText(save.error)
                      : undefined
                  }
                  onDiscard={() => {
                    save.reset();
                    setBegun(undefined);
                    discard();
                  }}
                  onSave={submit}
                />
              </div>
            </div>
            {isWide && (
              <aside className={classes['beside']} aria-label={t('preview.label')}>
                {preview}
              </aside>
            )}
          </div>
        </Tabs>
      </div>
      {!isWide && (
        <Drawer
          opened={isPreviewOpen}
          onClose={() => setIsPreviewOpen(false)}
          position="bottom"
          size="92%"
          title={t('preview.label')}
          styles={{ body: { height: 'calc(100% - 60px)', padding: 0 } }}
        >
          {preview}
        </Drawer>
      )}
      {part === 'snippet' && (
        <SnippetDialog channel={channel} onClose={() => onPart(undefined)} onFail={() => onPart(undefined)} />
      )}
      <ConfirmDialog {...guard} />
    </Page>
  );
}

function StateOf({ channel, isPlain = false }: { channel: WebChannel; isPlain?: boolean }) {
  const { t } = useTranslation('web-channels');
  const { seenAt, seenOn } = channel;
  const state = stateOf(channel);
  return (
    <span title={seenAt ? [formatMoment(seenAt), seenOn].filter(Boolean).join('\n') : undefined}>
      <State kind={stateKinds[state]}>
        {state === 'live' && seenAt ? (
          t('head.seen', { ago: formatAgo(seenAt) })
        ) : state === 'unpublished' && channel.bot && !isPlain ? (
          <Anchor
            inherit
            renderRoot={(props) => <Link {...props} to="/Bot/$id" params={{ id: channel.bot?.uuid ?? '' }} />}
          >
            {t('state.unpublished')}
          </Anchor>
        ) : (
          t(`state.${state}`)
        )}
      </State>
    </span>
  );
}

/** When channel and connection had last been changed as they were read. */
interface Seen {
  channel: string;
  connection: string;
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';

/** What has to be sent so that `from` becomes `to`: of the channel and of its connection the parts that differ. */
function changesOf(from: Values, to: Values, seen?: Seen): ChannelChanges {
  const channel = differing(from.settings, withoutEmptyRows(to.settings));
  const connection = differing(from.connection, to.connection);
  return {
    ...(Object.keys(channel).length > 0 && { channel: { ...channel, ...(seen && { seen: seen.channel }) } }),
    ...(Object.keys(connection).length > 0 && {
      connection: { ...connection, ...(seen && { seen: seen.connection }) },
    }),
  };
}

function differing<T extends object>(from: T, to: T): Partial<T> {
  const former = new Map<string, unknown>(Object.entries(from));
  // A border: `Object.fromEntries` forgets the names.
  return Object.fromEntries(
    Object.entries(to).filter(([name, value]) => JSON.stringify(former.get(name)) !== JSON.stringify(value)),
  ) as Partial<T>;
}
