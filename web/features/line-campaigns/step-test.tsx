import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { FriendSelect } from './audience-fields.tsx';
import classes from './line-campaigns.module.css';
import { useTester, useTestScenario } from './line-campaigns.queries.ts';

interface Props {
  scenario: StepScenario;
  /** The whole series without. */
  step: { uuid: string; number: number } | undefined;
  isChanged: boolean;
  onClose(): void;
}

/** Sends one step, or all of them at once, to a friend who was asked. */
export function StepTest({ scenario: { uuid, channel, steps }, step, isChanged, onClose }: Props) {
  const { t } = useTranslation('line-campaigns');
  const { data: tester = null } = useTester(channel);
  const [chosen, setChosen] = useState<string | null>();
  const test = useTestScenario(uuid, channel);
  const guest = chosen === undefined ? (tester?.uuid ?? null) : chosen;
  const count = step ? 1 : steps.filter(({ content }) => content.length > 0).length;
  return (
    <Modal opened onClose={onClose} title={step ? t('trial.oneTitle', step) : t('trial.allTitle')} centered>
      <FriendSelect
        channel={channel}
        label={t('test.label')}
        placeholder={t('test.placeholder')}
        known={tester}
        value={guest}
        onChange={(next) => {
          if (test.isError) test.reset();
          setChosen(next);
        }}
      />
      <p className={classes['hint']}>{isChanged ? t('test.save') : t('trial.hint', { count })}</p>
      {test.error && (
        <p className={classes['fault']} role="alert">
          {errorText(test.error)}
        </p>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button
          disabled={guest === null || isChanged || count === 0}
          loading={test.isPending}
          onClick={() =>
            guest !== null &&
            test.mutate(
              { guest, step: step?.uuid },
              {
                onSuccess: () => {
                  toast.success(t('test.done'));
                  onClose();
                },
              },
            )
          }
        >
          {t('test.send')}
        </Button>
      </Group>
    </Modal>
  );
}
