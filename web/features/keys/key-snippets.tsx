import { Anchor, Box, Code, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { useBotNames } from '../../lib/bot-names.ts';
import { apiBase } from '../../lib/api.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './keys.module.css';
import { languages, writeSnippet, type Language } from './snippets.ts';

interface Props {
  /** The key itself while it is known; otherwise a place is left for it. */
  apiKey?: string;
  /** A bot that the key is for. */
  bot?: string | undefined;
}

const placeholder = 'YOUR_API_KEY';

/** How to ask a bot from a program: what stands here runs as it is. */
export function KeySnippets({ apiKey = placeholder, bot }: Props) {
  const { t } = useTranslation('keys');
  const [language, setLanguage] = useState<Language>('curl');
  const [chosen, setChosen] = useState<string>();
  const bots = useBotNames();
  if (bots.isPending) return null;
  const named =
    bots.data?.find(({ uuid }) => uuid === (chosen ?? bot)) ??
    bots.data?.find(({ published }) => published) ??
    bots.data?.[0];
  if (!named) {
    return (
      <Text size="sm" c="dimmed">
        {t('snippets.noBot')}
        {gap()}
        <Anchor component={Link} to="/Bot" inherit underline="always">
          {t('snippets.toBots')}
        </Anchor>
      </Text>
    );
  }
  const origin = apiBase || window.location.origin;
  const snippet = writeSnippet[language]({
    origin,
    url: `${origin}${conversations.send.path}`,
    key: apiKey,
    bot: named.uuid,
    question: t('snippets.question'),
  });
  return (
    <Stack gap="xs">
      {apiKey === placeholder && (
        <Text size="sm" c="dimmed" className={classes['phrases'] ?? ''}>
          {t('snippets.text')}
        </Text>
      )}
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('snippets.language')}
          value={language}
          onChange={(value) => setLanguage(languages.find((each) => each === value) ?? 'curl')}
          data={languages.map((value) => ({ value, label: t(`snippets.${value}`) }))}
        />
        <Group gap="xs">
          {!bot && (
            <Select
              size="xs"
              aria-label={t('snippets.bot')}
              value={named.uuid}
              onChange={(value) => setChosen(value ?? undefined)}
              data={(bots.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
              allowDeselect={false}
              searchable
              flex={1}
              miw={180}
            />
          )}
          <CopyButton value={snippet} label={t('snippets.copy')} copiedLabel={t('common:copied')} />
        </Group>
      </Group>
      <Box style={{ minWidth: 0 }}>
        <Code
          block
          tabIndex={0}
          role="region"
          aria-label={t(`snippets.${language}`)}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {snippet}
        </Code>
      </Box>
      {!named.published && (
        <Text size="xs" role="note">
          {t('snippets.unpublished', { name: named.name })}
        </Text>
      )}
      <Text size="xs" c="dimmed" className={classes['phrases'] ?? ''}>
        {t('snippets.hint')}
      </Text>
      <Anchor size="xs" href="/docs" target="_blank" rel="noreferrer" underline="always" w="fit-content">
        {t('snippets.docs')}
      </Anchor>
    </Stack>
  );
}
