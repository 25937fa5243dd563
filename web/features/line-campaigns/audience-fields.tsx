import { Button, MultiSelect, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Broadcast, LineAudience } from '../../../shared/contracts/line-campaigns.ts';
import { dayHere, formatNumber, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { inboxCounts } from '../../lib/inbox-counts.ts';
import classes from './line-campaigns.module.css';
import { useAudience, useBroadcasts, useFriends } from './line-campaigns.queries.ts';

const kinds = ['everyone', 'all', 'tags', 'people', 'did'] as const;
const deeds = ['wrote', 'silent', 'followed', 'sent', 'tapped'] as const;
type Deed = (typeof deeds)[number];

interface Props {
  broadcast: Broadcast;
  value: LineAudience;
  onChange(audience: LineAudience): void;
  error(path: string): string | undefined;
}

/** Nothing of it is counted, or sent to, before it names somebody. */
export const isWhole = (audience: LineAudience): boolean =>
  audience.kind === 'tags'
    ? audience.tags.length > 0
    : audience.kind !== 'did' || !('broadcast' in audience.did) || audience.did.broadcast !== '';

export function AudienceFields({ broadcast, value, onChange, error }: Props) {
  const { t } = useTranslation('line-campaigns');
  const { data: counts } = useQuery(inboxCounts);
  const count = useAudience(broadcast.channel, isWhole(value) ? value : undefined);
  const without = 'without' in value ? value.without : [];
  const known = counts?.tags ?? [];
  const choose = (kind: (typeof kinds)[number]) => {
    if (kind === value.kind) return;
    if (kind === 'everyone') onChange({ kind });
    else if (kind === 'all') onChange({ kind, without });
    else if (kind === 'tags') onChange({ kind, tags: [], without });
    else if (kind === 'people') onChange({ kind, people: [] });
    else onChange({ kind, did: { what: 'wrote', since: dayHere(30) }, without });
  };
  return (
    <Stack className={classes['fields'] ?? ''}>
      <div>
        <div className={classes['audience']}>
          <Select
            aria-label={t('audience.label')}
            maw={360}
            value={value.kind}
            data={kinds.map((kind) => ({ value: kind, label: t(`audience.kind.${kind}`) }))}
            allowDeselect={false}
            onChange={(next) => choose(kinds.find((kind) => kind === next) ?? value.kind)}
          />
          <p className={classes['count']} role="status">
            {!isWhole(value) ? (
              t('audience.count', { count: 0, shown: 0 })
            ) : count.isError && !count.isFetching ? (
              <>
                {t('audience.uncounted')}
                {gap()}
                <Button variant="subtle" size="compact-sm" onClick={() => void count.refetch()}>
                  {t('common:retry')}
                </Button>
              </>
            ) : count.data === undefined || count.isPlaceholderData ? (
              t('audience.counting')
            ) : count.data === null ? (
              t('everyone.unknown')
            ) : (
              t(value.kind === 'everyone' ? 'everyone.count' : 'audience.count', {
                count: count.data,
                shown: formatNumber(count.data),
              })
            )}
          </p>
        </div>
        {value.kind === 'everyone' && <p className={classes['hint']}>{t('everyone.hint')}</p>}
        {value.kind === 'all' && <p className={classes['hint']}>{t('audience.allHint')}</p>}
      </div>
      {value.kind === 'tags' && (
        <TagsInput
          label={t('audience.tags')}
          placeholder={value.tags.length === 0 ? t('audience.tagsPlaceholder') : ''}
          value={value.tags}
          data={known}
          maxTags={100}
          acceptValueOnBlur
          error={error('audience.tags')}
          onChange={(tags) => onChange({ ...value, tags })}
        />
      )}
      {value.kind === 'people' && (
        <People
          channel={broadcast.channel}
          known={broadcast.named}
          value={value.people}
          error={error('audience.people')}
          onChange={(people) => onChange({ ...value, people })}
        />
      )}
      {value.kind === 'did' && (
        <DeedFields
          broadcast={broadcast}
          value={value.did}
          error={error}
          onChange={(did) => onChange({ ...value, did })}
        />
      )}
      {'without' in value && (
        <TagsInput
          label={t('audience.without')}
          placeholder={without.length === 0 ? t('audience.tagsPlaceholder') : ''}
          value={without}
          data={known}
          maxTags={100}
          acceptValueOnBlur
          error={error('audience.without')}
          onChange={(next) => onChange({ ...value, without: next })}
        />
      )}
    </Stack>
  );
}

interface PeopleProps {
  channel: string;
  /** Who was chosen already, whom a search may not find. */
  known: Broadcast['named'];
  value: string[];
  error: string | undefined;
  onChange(people: string[]): void;
}

function People({ channel, known, value, error, onChange }: PeopleProps) {
  const { t } = useTranslation('line-campaigns');
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<Broadcast['named']>([]);
  const found = useFriends(channel, q).data ?? [];
  const nameOf = new Map([...known, ...chosen, ...found].map(({ uuid, name }) => [uuid, name]));
  const shown = [...new Set([...found.map(({ uuid }) => uuid), ...value])];
  return (
    <MultiSelect
      label={t('audience.people')}
      placeholder={value.length === 0 ? t('audience.peoplePlaceholder') : ''}
      value={value}
      data={shown.map((uuid) => ({ value: uuid, label: nameOf.get(uuid) ?? t('audience.gone') }))}
      // Found by the server, which knows more names than these.
      filter={({ options }) => options}
      searchable
      searchValue={q}
      onSearchChange={setQ}
      maxValues={500}
      nothingFoundMessage={t('audience.noPeople')}
      error={error}
      onChange={(next) => {
        setChosen([...chosen, ...found.filter(({ uuid }) => next.includes(uuid))]);
        onChange(next);
      }}
    />
  );
}

interface DeedProps {
  broadcast: Broadcast;
  value: Extract<LineAudience, { kind: 'did' }>['did'];
  error(path: string): string | undefined;
  onChange(did: DeedProps['value']): void;
}

function DeedFields({ broadcast, value, error, onChange }: DeedProps) {
  const { t } = useTranslation('line-campaigns');
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<Broadcast['named']>([]);
  const known = [...broadcast.named, ...chosen].find(({ uuid }) => 'broadcast' in value && uuid === value.broadcast);
  // The field says which it has, which is no search.
  const others = useBroadcasts(broadcast.channel, q === known?.name ? '' : q).data ?? [];
  const sent = others.filter(
    ({ uuid, startedAt, taps }) =>
      uuid !== broadcast.uuid && startedAt !== null && (value.what !== 'tapped' || taps === 'person'),
  );
  const choose = (what: Deed) => {
    if (what === 'sent' || what === 'tapped') onChange({ what, broadcast: '' });
    else onChange({ what, since: 'since' in value ? value.since : dayHere(30) });
  };
  return (
    <div className={classes['pair']}>
      <Select
        label={t('audience.did')}
        value={value.what}
        data={deeds.map((what) => ({ value: what, label: t(`audience.what.${what}`) }))}
        allowDeselect={false}
        onChange={(next) => choose(deeds.find((deed) => deed === next) ?? 'wrote')}
      />
      {'broadcast' in value ? (
        <Select
          label={t('audience.broadcast')}
          description={value.what === 'tapped' ? t('audience.tappedHint') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value.broadcast || null}
          data={[...sent, ...(known && !sent.some(({ uuid }) => uuid === known.uuid) ? [known] : [])].map(
            ({ uuid, name }) => ({ value: uuid, label: name }),
          )}
          // Found by the server, which knows more of them than these.
          filter={({ options }) => options}
          searchable
          searchValue={q}
          onSearchChange={setQ}
          nothingFoundMessage={t('list.noMatch', { q })}
          error={error('audience.did.broadcast')}
          onChange={(next) => {
            setChosen(sent.filter(({ uuid }) => uuid === next));
            onChange({ ...value, broadcast: next ?? '' });
          }}
        />
      ) : (
        <TextInput
          type="date"
          label={t('audience.since')}
          value={value.since}
          error={error('audience.did.since')}
          onChange={(event) => event.currentTarget.value && onChange({ ...value, since: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

/** One friend of a channel. */
export function FriendSelect({
  channel,
  label,
  placeholder,
  known,
  value,
  onChange,
}: {
  channel: string;
  label: string;
  placeholder: string;
  /** Who is chosen already, whom a search may not find. */
  known: { uuid: string; name: string } | null;
  value: string | null;
  onChange(guest: string | null): void;
}) {
  const { t } = useTranslation('line-campaigns');
  const [q, setQ] = useState('');
  // The field says whom it has, which is no search.
  const found = useFriends(channel, q === known?.name ? '' : q).data ?? [];
  const all = [...found, ...(known && !found.some(({ uuid }) => uuid === known.uuid) ? [known] : [])];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      value={value}
      data={all.map(({ uuid, name }) => ({ value: uuid, label: name }))}
      filter={({ options }) => options}
      searchable
      searchValue={q}
      onSearchChange={setQ}
      nothingFoundMessage={t('audience.noPeople')}
      onChange={onChange}
    />
  );
}
