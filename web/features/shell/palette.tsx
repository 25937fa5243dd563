import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { IconBooks, IconFile, IconMessageChatbot, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import icons from 'virtual:page-icons';
import { bots } from '../../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { labelledPages } from '../../../shared/pages.ts';
import { call } from '../../lib/api.ts';
import { may } from '../../lib/session.ts';
import { useTranslation } from '../../lib/i18n.ts';

/** Everything by a few letters: pages, what can be made, and what was made. */
export function Palette() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const found = useQuery({
    queryKey: ['palette', q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { q, limit: 5 };
      const [ownBots, bases, files] = await Promise.all([
        call(bots.list, { query, signal }),
        call(knowledge.list, { query, signal }),
        call(documents.all, { query, signal }),
      ]);
      return { bots: ownBots.data, bases: bases.data, files: files.data };
    },
  });
  const go = (href: string) => () => void navigate({ href });
  const matches = (label: string) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
  const places = labelledPages
    .filter(([, { isFound, access = 'user' }]) => isFound && may(access))
    .map(([name, { path, icon }]) => ({ label: t(`common:page.${name}`), path, Icon: icon ? icons[icon] : IconFile }))
    .filter(({ label }) => matches(label));
  const results = q && found.data ? found.data : { bots: [], bases: [], files: [] };
  const isEmpty = places.length + results.bots.length + results.bases.length + results.files.length === 0;

  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t('common:search') } }}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder={t('placeholder')}
        aria-label={t('placeholder')}
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList>
        {places.length > 0 && (
          <Spotlight.ActionsGroup label={t('groups.pages')}>
            {places.map(({ path, label, Icon }) => (
              <Spotlight.Action key={path} label={label} leftSection={<Icon size={18} />} onClick={go(path)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {results.bots.length > 0 && (
          <Spotlight.ActionsGroup label={t('groups.bots')}>
            {results.bots.map((bot) => (
              <Spotlight.Action
                key={bot.uuid}
                label={bot.name}
                description={bot.description}
                leftSection={<IconMessageChatbot size={18} />}
                onClick={go(`/Bot/${bot.uuid}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {results.bases.length > 0 && (
          <Spotlight.ActionsGroup label={t('groups.knowledge')}>
            {results.bases.map((base) => (
              <Spotlight.Action
                key={base.uuid}
                label={base.name}
                description={base.description}
                leftSection={<IconBooks size={18} />}
                onClick={go(`/Knowledge/${base.uuid}/documents`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {results.files.length > 0 && (
          <Spotlight.ActionsGroup label={t('groups.documents')}>
            {results.files.map((file) => (
              <Spotlight.Action
                key={file.uuid}
                label={file.name}
                description={file.knowledgeName}
                leftSection={<IconFile size={18} />}
                onClick={go(`/Knowledge/${file.knowledge}/documents/${file.uuid}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isEmpty && <Spotlight.Empty>{t('nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
