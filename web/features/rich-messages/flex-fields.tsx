import { Button, Group, Textarea } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import { monospace } from '../../ui/monospace.ts';
import { readFlex, type FlexEdit } from './draft.ts';
import { checkFlex, flexPlace } from '../../../shared/flex.ts';

import classes from './rich-messages.module.css';

interface Props {
  edit: FlexEdit;
  onChange(edit: FlexEdit): void;
}

/** Its own JSON, with what LINE would refuse of it, each with its place. */
export function FlexFields({ edit, onChange }: Props) {
  const { t } = useTranslation('rich-messages');
  const { t: tell, has } = useTranslation('errors');
  const read = readFlex(edit.source);
  const found = read.fault === undefined ? checkFlex(read.contents) : [];
  const wordsFor = (code: string) => {
    const key = `field.${code}`;
    return has(key) ? tell(key) : tell('field.invalid');
  };
  return (
    <Section title={t('flex.title')}>
      <div className={classes['fields']}>
        <p className={classes['hint']}>{t('flex.hint')}</p>
        <Textarea
          aria-label={t('flex.title')}
          value={edit.source}
          onChange={(event) => onChange({ ...edit, source: event.currentTarget.value })}
          styles={monospace}
          autosize
          minRows={14}
          maxRows={30}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          mt={8}
          error={read.fault && (read.fault === 'anywhere' ? t('flex.syntax') : t('flex.syntaxAt', read.fault))}
        />
        <Group mt={8} gap={8}>
          <Button
            size="xs"
            variant="default"
            disabled={read.fault !== undefined}
            onClick={() => onChange({ ...edit, source: JSON.stringify(read.contents, null, 2) })}
          >
            {t('flex.format')}
          </Button>
        </Group>
        {read.fault === undefined && (
          <div role="status">
            {found.length === 0 ? (
              <p className={classes['hint']}>{t('flex.good')}</p>
            ) : (
              <ul className={classes['problems']}>
                {found.map(({ path, code }, at) => (
                  <li key={at}>
                    <code>{flexPlace(path) || t('flex.whole')}</code> {wordsFor(code)}
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
    </Section>
  );
}
