import '@mantine/core/styles/Radio.css';
import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { reportReasons, type PublicBot } from '../../../shared/contracts/explore.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { useReport } from './explore.queries.ts';
import classes from './explore.module.css';

/** Tells the operator of the server what is wrong with a bot; nobody else reads it. */
export function ReportDialog({ bot, onClose }: { bot: Pick<PublicBot, 'uuid' | 'name'>; onClose(): void }) {
  const { t } = useTranslation('explore');
  const [reason, setReason] = useState<(typeof reportReasons)[number]>();
  const [text, setText] = useState('');
  const report = useReport(bot.uuid);
  return (
    <Modal opened onClose={onClose} title={t('report.title', { name: bot.name })} centered>
      {report.isSuccess ? (
        <Stack>
          <Text size="sm" role="status">
            {t('report.done')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {t('common:close')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (reason) report.mutate({ reason, text });
          }}
        >
          <Stack>
            <Radio.Group
              label={t('report.reason')}
              value={reason ?? ''}
              onChange={(value) => setReason(reportReasons.find((each) => each === value))}
            >
              <Stack gap={8} mt={6} className={classes['reasons'] ?? ''}>
                {reportReasons.map((each) => (
                  <Radio key={each} value={each} label={t(`report.reasons.${each}`)} />
                ))}
              </Stack>
            </Radio.Group>
            <Textarea
              label={t('report.text')}
              description={t('report.textHint')}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={500}
              autosize
              minRows={2}
              maxRows={6}
            />
            <FormActions
              error={problemOf(report.error)}
              submit={t('report.submit')}
              cancel={t('common:cancel')}
              isBusy={report.isPending}
              disabled={!reason}
              onClose={onClose}
            />
          </Stack>
        </form>
      )}
    </Modal>
  );
}
