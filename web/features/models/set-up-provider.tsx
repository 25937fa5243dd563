import { useState } from 'react';
import { Trans } from 'react-i18next';
import type { ModelProviderInfo } from '../../../shared/contracts/services.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CodeBox } from '../../ui/code-box.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { KeyLink } from './key-form.tsx';
import classes from './set-up-provider.module.css';

/** How an operator lets everybody use the models of a provider. */
export function SetUpProvider({ provider, onClose }: { provider: ModelProviderInfo | undefined; onClose(): void }) {
  const { t } = useTranslation('models');
  // What it says stays while it goes away.
  const [shown, setShown] = useState(provider);
  if (provider && provider !== shown) setShown(provider);
  const title =
    shown &&
    (shown.kind === 'vendor' ? t('operated.setUp.title', { provider: shown.title }) : t('operated.setUp.titleServer'));
  return (
    <Modal opened={provider !== undefined} onClose={onClose} title={title} centered>
      {shown && <Steps provider={shown} />}
    </Modal>
  );
}

function Steps({ provider }: { provider: ModelProviderInfo }) {
  const { t } = useTranslation('models');
  const { kind, title, keyUrl, line } = provider;
  const isVendor = kind === 'vendor';
  return (
    <div className={classes['guide']}>
      <ol>
        <li>
          <p>
            <Words of={isVendor ? 'line' : 'lineServer'} /> {keyUrl && <KeyLink provider={provider} url={keyUrl} />}
          </p>
          <CodeBox
            label={t('operated.setUp.label')}
            code={isVendor ? `${line}${t('operated.setUp.key')}` : line}
            copyLabel={t('operated.setUp.copy')}
            copiedLabel={t('common:copied')}
            isMain
          />
        </li>
        <li>
          <p>
            <Words of="restart" />
          </p>
        </li>
      </ol>
      <p>
        {t(isVendor ? 'operated.setUp.then' : 'operated.setUp.thenServer', {
          provider: title,
          page: t('common:page.token'),
          tab: t('page.models'),
        })}
      </p>
    </div>
  );
}

function Words({ of }: { of: 'line' | 'lineServer' | 'restart' }) {
  return (
    <Trans ns="models" i18nKey={`operated.setUp.${of}` satisfies KeyIn<'models'>} components={{ code: <code /> }} />
  );
}
