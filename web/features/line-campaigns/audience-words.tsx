import type { Broadcast } from '../../../shared/contracts/line-campaigns.ts';
import { formatDay } from '../../lib/format.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';

/** To whom a broadcast goes, or went, in words. */
export function AudienceWords({ broadcast: { audience, named } }: { broadcast: Broadcast }) {
  const { t } = useTranslation('line-campaigns');
  const list = (names: string[]) => new Intl.ListFormat(formatLocale(), { type: 'unit' }).format(names);
  const nameOf = (uuid: string) => named.find((each) => each.uuid === uuid)?.name ?? t('audience.gone');
  const said = () => {
    if (audience.kind === 'tags') return `${t('audience.tags')}${t('audience.colon')}${list(audience.tags)}`;
    if (audience.kind === 'people') return list(audience.people.map(nameOf));
    if (audience.kind !== 'did') return t(`audience.kind.${audience.kind}`);
    const { did } = audience;
    const what = t(`audience.what.${did.what}`);
    return `${what}${t('audience.colon')}${'broadcast' in did ? nameOf(did.broadcast) : formatDay(did.since)}`;
  };
  const without = 'without' in audience ? audience.without : [];
  return (
    <>
      {said()}
      {without.length > 0 && `${t('common:dot')}${t('audience.without')}${t('audience.colon')}${list(without)}`}
    </>
  );
}
