import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { sectionFields, sectionNames } from './section.tsx';
import type { Conflict } from './use-draft.ts';
import classes from './bots.module.css';

/** Somebody else was faster with the same part: whose words shall stay. */
export function ConflictNote({ conflict }: { conflict: Conflict }) {
  const { t } = useTranslation('bots-editor');
  const parts = sectionNames
    .filter((name) => conflict.fields.some((field) => sectionFields[name].includes(field)))
    .map((name) => t(`sections.${name}.title`));
  return (
    <div role="alert" className={classes['conflict']}>
      <State kind="failed">{t('conflict.text', { fields: parts.join(t('conflict.and')) })}</State>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={conflict.loadTheirs}>
          {t('conflict.theirs')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={conflict.keepMine}>
          {t('conflict.mine')}
        </Button>
      </Group>
    </div>
  );
}
