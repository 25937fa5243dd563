import { Button, Group, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { makeBotOf } from '../../lib/make-bot.ts';

/** The address of a website, and a bot that answers from it. */
export function FirstSite() {
  const { t } = useTranslation('home', 'websites');
  const client = useQueryClient();
  const navigate = useNavigate();
  const [url, setUrl] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const start = async () => {
    if (url.trim() === '') return setProblem(t('websites:form.missing'));
    setIsBusy(true);
    setProblem(undefined);
    try {
      const made = await makeBotOf(url);
      if (typeof made === 'string') return setProblem(t(`websites:reason.${made}`));
      await client.invalidateQueries();
      await navigate({ to: `/Bot/${made.uuid}/Chat` });
    } catch (error) {
      setProblem((error instanceof ApiError && error.fields['url']) || errorText(error));
    } finally {
      setIsBusy(false);
    }
    return undefined;
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Group gap="xs" align="flex-start" wrap="nowrap" mt="md">
        <TextInput
          flex={1}
          type="url"
          inputMode="url"
          autoComplete="url"
          label={t('begin.site')}
          description={isBusy ? t('begin.siteBusy') : undefined}
          placeholder={t('websites:form.placeholder')}
          value={url}
          maxLength={2000}
          disabled={isBusy}
          error={problem}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <Button type="submit" variant="default" mt={25} loading={isBusy}>
          {t('begin.siteStart')}
        </Button>
      </Group>
    </form>
  );
}
