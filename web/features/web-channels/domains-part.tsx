import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass, State } from '../../ui/page.tsx';
import { DomainField } from './domain-field.tsx';
import { domainIn, twinOf } from './domains.ts';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';

const most = 50;

/** Where the widget may be shown. */
export function DomainsPart({ settings: { domains }, set, fieldError }: PartProps) {
  const { t } = useTranslation('web-channels');
  const [written, setWritten] = useState('');
  const [isTold, setIsTold] = useState(false);
  const domain = domainIn(written);
  const isKnown = domain !== undefined && domains.includes(domain);
  const fault =
    written.trim() && !domain
      ? t('domains.invalid')
      : isKnown
        ? t('domains.known')
        : isTold && !domain
          ? t('common:required')
          : undefined;
  // A name is not wrong only because it is not yet whole.
  const isShown = isTold || isKnown || /[\s@]/.test(written.trim());
  const add = (more: string) => set({ domains: [...domains, more] });
  return (
    <>
      <p className={classes['hint']}>{t('domains.hint')}</p>
      <form
        className={classes['adding']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(!domain || isKnown);
          if (!domain || isKnown) return;
          add(domain);
          setWritten('');
        }}
      >
        <DomainField
          aria-label={t('domains.label')}
          placeholder="shop.example.com"
          value={written}
          onChange={(next) => {
            setIsTold(false);
            setWritten(next);
          }}
          error={isShown && fault}
          disabled={domains.length >= most}
          flex={1}
        />
        <Button type="submit" variant="default" disabled={domains.length >= most}>
          {t('domains.add')}
        </Button>
      </form>
      {domains.length === 0 ? (
        <p className={classes['note']} role="status">
          <State kind="warning">{t('domains.none')}</State>
        </p>
      ) : (
        <ul className={classes['domains']}>
          {domains.map((each, at) => {
            const twin = twinOf(each);
            return (
              <li key={each} className={rowClass} data-dense>
                <div className={classes['domain']}>
                  <span>
                    {each}
                    {fieldError(`domains.${at}`) && (
                      <span className={classes['fault']} role="alert">
                        {fieldError(`domains.${at}`)}
                      </span>
                    )}
                  </span>
                  {twin && !domains.includes(twin) && domains.length < most && (
                    <Button size="compact-xs" variant="default" onClick={() => add(twin)}>
                      {t('domains.also', { domain: twin })}
                    </Button>
                  )}
                </div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('domains.remove', { domain: each })}
                  onClick={() => set({ domains: domains.filter((other) => other !== each) })}
                >
                  <IconX size={16} />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
