import { MultiSelect, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { countGraphemes } from '../../../shared/characters.ts';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { menuSizes } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { inboxCounts } from '../../lib/inbox-counts.ts';
import { getUser } from '../../lib/session.ts';
import { clockAt, momentAt } from '../../lib/zoned.ts';
import { Section } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Counter } from './area-fields.tsx';
import { withSize, type Draft } from './draft.ts';
import classes from './line-menus.module.css';
import { usePeople } from './line-menus.queries.ts';
import { MenuSince, MenuState } from './menu-state.tsx';
import type { useHistory } from './use-history.ts';
import { useWho } from './who.tsx';

const maxBar = 14;
const times = ['always', 'timed'] as const;

interface Props {
  draft: Draft;
  history: ReturnType<typeof useHistory<Draft>>;
  /** The menu as it will be once this is saved, and all of the channel. */
  now: RichMenu;
  menus: RichMenu[];
  isTold: boolean;
  left: ReactNode;
  preview: ReactNode;
  fieldError(path: string): string | undefined;
}

/** How the menu is called, opens and how large it is; and who sees it, when. */
export function SettingsPart({ draft, history, now, menus, isTold, left, preview, fieldError }: Props) {
  const { t } = useTranslation('line-menus');
  const { size, name, chatBarText, selected } = draft.menu;
  const { data: counts } = useQuery(inboxCounts);
  const set = (changes: Partial<Draft>, step: string) => history.change({ ...draft, ...changes }, step);
  const setMenu = (changes: Partial<Draft['menu']>, step: string) => set({ menu: { ...draft.menu, ...changes } }, step);
  const sizes = menuSizes.map(({ width, height }) => ({
    value: `${width}x${height}`,
    label: t(width / height > 2 ? 'settings.compact' : 'settings.tall', { width, height }),
  }));
  const { who, when } = useWho();
  /** Chosen before there is a day. */
  const [isTimed, setIsTimed] = useState(draft.from !== null || draft.to !== null);
  const usual = menus.find((each) => each.uuid !== now.uuid && each.default && !each.from && !each.to);
  const current = `${size.width}x${size.height}`;
  const count = countGraphemes(chatBarText, maxBar + 1);
  const isBackwards = draft.from !== null && draft.to !== null && draft.to <= draft.from;
  return (
    <div className={classes['work']}>
      <div className={classes['settings']}>
        <dl className={classes['facts']}>
          <div>
            <dt>{t('settings.who')}</dt>
            <dd>{who(now, menus)}</dd>
          </div>
          <div>
            <dt>{t('settings.period')}</dt>
            <dd>{when(now) ?? t('settings.times.always')}</dd>
          </div>
          <div>
            <dt>{t('settings.state')}</dt>
            <dd>
              <MenuState menu={now} />
              <small>
                <MenuSince menu={now} />
              </small>
            </dd>
          </div>
        </dl>
        {left}
        <Section title={t('settings.who')}>
          <Stack className={classes['fields'] ?? ''}>
            <Switch
              label={t('settings.everybody')}
              description={
                usual ? t('settings.everybodyInstead', { name: usual.menu.name }) : t('settings.everybodyHint')
              }
              checked={draft.isDefault}
              onChange={(event) => set({ isDefault: event.currentTarget.checked }, 'default')}
            />
            <TagsInput
              label={t('settings.tags')}
              description={t('settings.tagsHint')}
              placeholder={draft.tags.length === 0 ? t('settings.tagsPlaceholder') : ''}
              value={draft.tags}
              data={counts?.tags ?? []}
              maxTags={20}
              acceptValueOnBlur
              error={fieldError('tags')}
              onChange={(next) => set({ tags: next }, 'tags')}
            />
            <People
              people={draft.people}
              error={fieldError('people')}
              onChange={(people) => set({ people }, 'people')}
            />
          </Stack>
        </Section>
        <Section title={t('settings.period')}>
          <div className={classes['fields']}>
            <Segments
              label={t('settings.period')}
              value={isTimed ? 'timed' : 'always'}
              options={times.map((value) => ({ value, label: t(`settings.times.${value}`) }))}
              onChange={(next) => {
                setIsTimed(next === 'timed');
                if (next === 'always' && (draft.from || draft.to)) set({ from: null, to: null }, 'always');
              }}
            />
            {isTimed && (
              <div className={classes['period']}>
                {(['from', 'to'] as const).map((end) => (
                  <TextInput
                    key={end}
                    type="datetime-local"
                    label={t(`settings.${end}`)}
                    value={toField(draft[end])}
                    error={(end === 'to' && isBackwards && t('settings.backwards')) || fieldError(end)}
                    onChange={(event) => set({ [end]: fromField(event.currentTarget.value) }, end)}
                  />
                ))}
              </div>
            )}
            {isTimed && <p className={classes['hint']}>{t('settings.periodHint')}</p>}
          </div>
        </Section>
        <Section title={t('settings.title')}>
          <Stack className={classes['fields'] ?? ''}>
            <TextInput
              label={t('settings.name')}
              description={t('create.nameHint')}
              value={name}
              maxLength={300}
              error={(isTold && name.trim() === '' && t('common:required')) || fieldError('menu.name')}
              onChange={(event) => setMenu({ name: event.currentTarget.value }, 'name')}
            />
            <TextInput
              label={t('settings.bar')}
              description={t('settings.barHint')}
              value={chatBarText}
              classNames={{ wrapper: classes['short'] ?? '' }}
              maxLength={maxBar * 16}
              error={
                (isTold && chatBarText.trim() === '' && t('common:required')) ||
                (count > maxBar && t('area.counted', { count: `${maxBar}+`, max: maxBar })) ||
                fieldError('menu.chatBarText')
              }
              rightSectionWidth={56}
              rightSection={<Counter count={count} max={maxBar} />}
              onChange={(event) => setMenu({ chatBarText: event.currentTarget.value }, 'bar')}
            />
            <Switch
              label={t('settings.selected')}
              description={t('settings.selectedHint')}
              checked={selected}
              onChange={(event) => setMenu({ selected: event.currentTarget.checked }, 'selected')}
            />
            <Select
              label={t('settings.size')}
              description={t('settings.sizeHint')}
              classNames={{ wrapper: classes['short'] ?? '' }}
              value={current}
              data={
                sizes.some(({ value }) => value === current)
                  ? sizes
                  : [...sizes, { value: current, label: t('settings.free', size) }]
              }
              allowDeselect={false}
              onChange={(next) => {
                const chosen = menuSizes.find(({ width, height }) => `${width}x${height}` === next);
                if (chosen) history.change(withSize(draft, chosen));
              }}
            />
          </Stack>
        </Section>
      </div>
      {preview && <div className={classes['aside']}>{preview}</div>}
    </div>
  );
}

const zone = () => getUser()?.timezone || undefined;
const toField = (moment: string | null) => (moment === null ? '' : clockAt(Date.parse(moment), zone()).slice(0, 16));

function fromField(value: string): string | null {
  const [day, time] = value.split('T');
  const at = day && time ? momentAt(day, time.slice(0, 5), zone()) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}

interface PeopleProps {
  people: RichMenu['people'];
  error: string | undefined;
  onChange(people: RichMenu['people']): void;
}

function People({ people, error, onChange }: PeopleProps) {
  const { t } = useTranslation('line-menus');
  const [q, setQ] = useState('');
  const found = usePeople(q);
  const known = new Map([...(found.data ?? []), ...people].map(({ uuid, name }) => [uuid, name]));
  return (
    <MultiSelect
      label={t('settings.people')}
      description={t('settings.peopleHint')}
      placeholder={people.length === 0 ? t('settings.peoplePlaceholder') : ''}
      value={people.map(({ uuid }) => uuid)}
      data={[...known].map(([value, label]) => ({ value, label }))}
      // Found by the server, which knows more names than these.
      filter={({ options }) => options}
      searchable
      searchValue={q}
      onSearchChange={setQ}
      nothingFoundMessage={t('settings.noPeople')}
      error={error}
      onChange={(next) => onChange(next.map((uuid) => ({ uuid, name: known.get(uuid) ?? '' })))}
    />
  );
}
