import { useState } from 'react';
import { Trans } from 'react-i18next';
import type { ModelProviderInfo } from '../../../shared/contracts/services.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CodeBox } from '../../ui/code-box.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { KeyLink } from './key-form.tsx';
import classes from './set-up-provider.module.css';

/** Where an operator gives the key of a vendor, as README.md and .env.example tell. */
const keySettings: Record<string, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
  cohere: 'COHERE_API_KEY',
};
/** Such a server is told by its address; this one is an example. */
const serverLine = 'OPENAI_COMPATIBLE_BASE_URL=http://192.168.1.20:8000/v1';

export const hasSetting = (provider: string) => provider in keySettings;

/** How an operator lets everybody use the models of a provider. */
export function SetUpProvider({ provider, onClose }: { provider: ModelProviderInfo | undefined; onClose(): void }) {
  const { t } = useTranslation('models');
  // What it says stays while it goes away.
  const [shown, setShown] = useState(provider);
  if (provider && provider !== shown) setShown(provider);
  const title =
    shown &&
    (hasSetting(shown.name) ? t('operated.setUp.title', { provider: shown.title }) : t('operated.setUp.titleServer'));
  return (
    <Modal opened={provider !== undefined} onClose={onClose} title={title} centered>
      {shown && <Steps provider={shown} />}
    </Modal>
  );
}

function Steps({ provider }: { provider: ModelProviderInfo }) {
  const { t } = useTranslation('models');
  const { name, title, keyUrl } = provider;
  const setting = keySettings[name];
  return (
    <div className={classes['guide']}>
      <ol>
        <li>
          <p>
            <Words of={setting ? 'line' : 'lineServer'} /> {keyUrl && <KeyLink provider={provider} url={keyUrl} />}
          </p>
          <CodeBox
            label={t('operated.setUp.label')}
            code={setting ? `${setting}=${t('operated.setUp.key')}` : serverLine}
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
        {t(setting ? 'operated.setUp.then' : 'operated.setUp.thenServer', {
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
