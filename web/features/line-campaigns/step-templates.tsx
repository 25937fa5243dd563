import { stepTemplates, type StepTemplate } from '../../../shared/step-templates.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import classes from './line-campaigns.module.css';
import { readable, whenOf } from './step-time.tsx';

/** Series that others have needed as well, each drawn as its line. */
export function StepTemplates({ onPick }: { onPick(template: StepTemplate): void }) {
  const { t } = useTranslation('line-campaigns');
  return (
    <>
      <p className={classes['label']}>{t('steps.templates')}</p>
      <ul className={classes['templates']} aria-label={t('steps.templates')}>
        {stepTemplates(currentLocale()).map((template) => (
          <li key={template.id}>
            <h3>
              <button type="button" onClick={() => onPick(template)}>
                {template.name}
              </button>
            </h3>
            <p>{template.about}</p>
            <ol>
              {template.steps.map(({ time, text }) => (
                <li key={text}>
                  <b>{whenOf(time, t)}</b>
                  <span>{readable(text, t('scenario.someone'))}</span>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
    </>
  );
}
