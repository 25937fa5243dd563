import '@mantine/core/styles/NumberInput.css';
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Input,
  Menu,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp, IconChevronRight, IconDots, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { OperatedService, Price } from '../../../shared/contracts/services.ts';
import { ApiError } from '../../lib/api.ts';
import { formatDollars, formatShort } from '../../lib/amounts.ts';
import { dayHere, formatLongDay, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { State } from '../../ui/page.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { AbilityFields, abilityValuesOf, changedAbilities, toAbilities } from './ability-fields.tsx';
import {
  useAddService,
  useAnyProviders,
  useChangeService,
  useOperatedServices,
  useRemoveService,
} from './models.queries.ts';
import classes from './operated-services.module.css';

/** The models of the installation: which of them people see, under which name, at which price. */
export function OperatedServices() {
  const { t } = useTranslation('models');
  const services = useOperatedServices();
  const providers = useAnyProviders();
  const [q, setQ] = useState('');
  const [isAdding, add] = useDisclosure();
  const [editing, setEditing] = useState<OperatedService>();
  if (services.isPending) return <SkeletonRows />;
  if (!services.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={services.error.message}
        retry={t('common:retry')}
        onRetry={() => void services.refetch()}
      />
    );
  const rows = services.data.filter(({ name, modelId, provider }) =>
    `${name} ${modelId} ${provider}`.toLowerCase().includes(q.toLowerCase()),
  );
  const byProvider = Map.groupBy(rows, ({ provider }) => provider);
  return (
    <>
      <Text size="sm" c="dimmed" mb="md" className={classes['about'] ?? ''}>
        {t('operated.description')}
      </Text>
      <Group mb="md" gap="xs" justify="space-between">
        <div style={{ flex: '1 1 150px', maxWidth: 360 }}>
          <SearchInput value={q} onChange={setQ} label={t('operated.search')} clearLabel={t('common:clear')} />
        </div>
        <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
          {t('operated.add')}
        </Button>
      </Group>
      {rows.length === 0 ? (
        <EmptyState drawing="search" title={t('operated.noMatch')} text={t('operated.noMatchText')} />
      ) : (
        <table className={`${table['list']} ${classes['models']}`}>
          <thead>
            <tr>
              <th>
                {t('operated.model')}
                <span className={table['onPhone']}>{t('operated.priceHead')}</span>
              </th>
              <th data-from="md" className={classes['id']}>
                {t('operated.modelId')}
              </th>
              <th data-from="md" data-number className={classes['context']}>
                {t('operated.contextHead')}
              </th>
              <th data-from="sm" data-number className={classes['price']}>
                {t('operated.priceHead')}
              </th>
              <th className={classes['shown']}>{t('operated.shown')}</th>
              <th className={classes['menu']}>
                <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
              </th>
            </tr>
          </thead>
          {[...byProvider].map(([provider, own]) => (
            <ProviderModels
              key={provider}
              provider={provider}
              title={providers.data?.find(({ name }) => name === provider)?.title ?? t('operated.own')}
              services={own}
              isSearched={q !== ''}
              onEdit={setEditing}
            />
          ))}
        </table>
      )}
      <Modal opened={editing !== undefined} onClose={() => setEditing(undefined)} title={t('operated.edit')} centered>
        {editing && <EditForm service={editing} onClose={() => setEditing(undefined)} />}
      </Modal>
      <Modal opened={isAdding} onClose={add.close} title={t('operated.add')} centered>
        <AddForm onClose={add.close} />
      </Modal>
    </>
  );
}

/** Where an operator gives the key of a provider, as README.md and .env.example tell. */
const settings: Record<string, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
  cohere: 'COHERE_API_KEY',
};

interface ProviderProps {
  provider: string;
  title: string;
  services: OperatedService[];
  /** What a search has found is seen. */
  isSearched: boolean;
  onEdit(service: OperatedService): void;
}

function ProviderModels({ provider, title, services, isSearched, onEdit }: ProviderProps) {
  // Of models that the server has no key for there is seldom anything to decide.
  const [isOpen, setIsOpen] = useState(services.some(({ reason }) => reason !== 'no-key'));
  const usual = usualOf(services);
  const setting = usual?.reason === 'no-key' && settings[provider];
  const isShown = isOpen || isSearched;
  return (
    <tbody>
      <tr className={classes['provider']}>
        <th colSpan={6} scope="rowgroup">
          <div>
            <button type="button" aria-expanded={isShown} disabled={isSearched} onClick={() => setIsOpen(!isOpen)}>
              <IconChevronRight size={16} aria-hidden />
              {usual && <img src={usual.avatar.url} alt="" width={20} height={20} />}
              <b>{title}</b>
              <small>{formatNumber(services.length)}</small>
            </button>
            {usual && <Access service={usual} />}
            {setting && <code>{setting}</code>}
          </div>
        </th>
      </tr>
      {isShown &&
        services.map((service) => (
          <Row
            key={service.uuid}
            service={service}
            isUsual={accessOf(service) === (usual && accessOf(usual))}
            onEdit={() => onEdit(service)}
          />
        ))}
    </tbody>
  );
}

const accessOf = ({ key, reason }: OperatedService) => `${key} ${reason}`;

/** One with the access that most have. */
const usualOf = (services: OperatedService[]): OperatedService | undefined =>
  [...Map.groupBy(services, accessOf).values()].toSorted((one, other) => other.length - one.length)[0]?.[0];

/** With whose key a model answers, or why it does not. */
function Access({ service: { key, reason } }: { service: OperatedService }) {
  const { t } = useTranslation('models');
  if (key) return <State kind="live">{t(`operated.keys.${key}`)}</State>;
  const lacks = reason ?? 'no-key';
  return <State kind={lacks === 'no-key' ? 'draft' : 'warning'}>{t(`operated.reasons.${lacks}`)}</State>;
}

/** Vendors change their prices some times a year, so one that was read a quarter ago is to be looked at again. */
const isOld = (day: string) => Date.parse(dayHere()) - Date.parse(day) > 90 * 86_400_000;

/** What a model costs; that nobody has said is told where the model is offered. */
function PriceOf({ service }: { service: OperatedService }) {
  const { t } = useTranslation('models');
  const { group, price, imagePrice, key, hidden } = service;
  const isOfPictures = group === 'image-model';
  if (price && price.in + price.out === 0) return t('usage.free');
  if (imagePrice !== null) return t('operated.imagePrice', { price: formatDollars(imagePrice) });
  if (price && !isOfPictures)
    return t('operated.price', { in: formatDollars(price.in), out: formatDollars(price.out) });
  // A server of the operator's own answers without one, too.
  if (key) return t('usage.free');
  // Nobody can set that, so it is nothing to warn of.
  if (isOfPictures)
    return (
      <span className={table['quiet']} title={t('operated.noImagePriceHint')}>
        {t('operated.reasons.no-key')}
      </span>
    );
  return (
    <span className={table['quiet']} title={t('operated.noPriceHint')}>
      {hidden ? t('operated.noPrice') : <State kind="warning">{t('operated.noPrice')}</State>}
    </span>
  );
}

interface RowProps {
  service: OperatedService;
  /** What its access is stands above all of its provider. */
  isUsual: boolean;
  onEdit(): void;
}

function Row({ service, isUsual, onEdit }: RowProps) {
  const { t } = useTranslation('models');
  const change = useChangeService();
  const { uuid, modelId, contextTokens, group, price, imagePrice, pricedAt, hidden, added, changed } = service;
  const name = modelName(service.name);
  const isPriced = price !== null || imagePrice !== null;
  const readOn = isPriced && pricedAt && t('operated.pricedAt', { day: formatLongDay(pricedAt) });
  const context =
    group === 'image-model'
      ? t('operated.pictures')
      : contextTokens > 0 && t('operated.context', { tokens: formatShort(contextTokens) });
  return (
    <tr>
      <td>
        <div className={classes['named']}>
          <b {...(hidden && { 'data-hidden': true })}>{name}</b>
          {(added || changed) && <State kind="draft">{t(added ? 'operated.added' : 'operated.changed')}</State>}
          {/* That it lacks a price stands in place of the price. */}
          {!isUsual && service.reason !== 'no-price' && <Access service={service} />}
        </div>
        <span className={`${table['onPhone']} ${classes['second']}`}>
          <span>
            <PriceOf service={service} />
          </span>
          {context && t('common:dot')}
          <span>{context}</span>
        </span>
      </td>
      <td data-from="md" className={`${table['quiet']} ${table['one']}`} title={modelId}>
        {group === 'image-model' ? `${modelId}${t('common:dot')}${t('operated.pictures')}` : modelId}
      </td>
      <td data-from="md" data-number className={table['quiet']}>
        {group === 'image-model' ? '—' : contextTokens > 0 && formatShort(contextTokens)}
      </td>
      <td data-from="sm" data-number {...(readOn && { title: readOn })}>
        <PriceOf service={service} />
        {readOn && isOld(pricedAt) && <small className={classes['old']}>{readOn}</small>}
      </td>
      <td>
        <Switch
          styles={{ body: { justifyContent: 'center' } }}
          aria-label={t('operated.show', { name })}
          checked={!hidden}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate(
              { uuid, changes: { hidden: !event.currentTarget.checked } },
              { onError: (error) => toast.error(error.message) },
            )
          }
        />
      </td>
      <td>
        <ModelMenu service={service} onEdit={onEdit} />
      </td>
    </tr>
  );
}

function ModelMenu({ service, onEdit }: { service: OperatedService; onEdit(): void }) {
  const { t } = useTranslation('models');
  const change = useChangeService();
  const remove = useRemoveService();
  const { uuid, added, changed } = service;
  const name = modelName(service.name);
  const failed = (error: Error) => toast.error(error.message);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('operated.menu', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEdit size={15} />} onClick={onEdit}>
          {t('operated.edit')}
        </Menu.Item>
        {changed && (
          <Menu.Item
            leftSection={<IconArrowBackUp size={15} />}
            onClick={() =>
              change.mutate(
                { uuid, changes: { name: null, price: null, capabilities: null, contextTokens: null } },
                { onSuccess: () => toast.success(t('operated.resetDone')), onError: failed },
              )
            }
          >
            {t('operated.reset')}
          </Menu.Item>
        )}
        {added && (
          <Menu.Item
            leftSection={<IconTrash size={15} />}
            color="red"
            onClick={() =>
              remove.mutate(uuid, {
                onSuccess: () => toast.success(t('operated.removed', { name })),
                onError: failed,
              })
            }
          >
            {t('operated.remove')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

type Amounts = Record<'in' | 'out' | 'cached', number | string>;
const amountsOf = (price: Price | null): Amounts => ({
  in: price?.in ?? '',
  out: price?.out ?? '',
  cached: price?.cached ?? '',
});

/** Cached input costs what other input does, unless it is told. Nothing while a part is missing. */
function toPrice({ in: input, out, cached }: Amounts): Price | null {
  return typeof input === 'number' && typeof out === 'number'
    ? { in: input, out, cached: typeof cached === 'number' ? cached : input }
    : null;
}
const isHalf = (amounts: Amounts) =>
  toPrice(amounts) === null && Object.values(amounts).some((amount) => amount !== '');
const isSame = (one: Price | null, other: Price | null) =>
  one?.in === other?.in && one?.out === other?.out && one?.cached === other?.cached;

function PriceFields({ value, onChange, hint }: { value: Amounts; onChange(value: Amounts): void; hint: string }) {
  const { t } = useTranslation('models');
  return (
    <Fieldset variant="unstyled" legend={<Input.Label component="span">{t('operated.amountsLabel')}</Input.Label>}>
      <Group grow gap="xs" align="flex-end">
        {(['in', 'out', 'cached'] as const).map((part) => (
          <NumberInput
            key={part}
            label={t(`operated.amounts.${part}`)}
            value={value[part]}
            onChange={(amount) => onChange({ ...value, [part]: amount })}
            min={0}
            max={100_000}
            decimalScale={6}
            allowNegative={false}
            hideControls
            prefix="$"
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {hint}
      </Text>
    </Fieldset>
  );
}

function EditForm({ service, onClose }: { service: OperatedService; onClose(): void }) {
  const { t } = useTranslation('models');
  const change = useChangeService();
  const [name, setName] = useState(service.name);
  const [amounts, setAmounts] = useState(amountsOf(service.price));
  const [abilities, setAbilities] = useState(abilityValuesOf(service));
  const price = toPrice(amounts);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const changes = {
          ...(name.trim() !== service.name && { name: name.trim() }),
          // What the form does not show, such as the price of a long prompt, stays as it is.
          ...(!isSame(price, service.price) && { price: price && { ...service.price, ...price } }),
          ...changedAbilities(abilities, service),
        };
        change.mutate(
          { uuid: service.uuid, changes },
          {
            onSuccess: () => {
              toast.success(t('operated.saved'));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <TextInput
          label={t('common:name')}
          description={t('operated.nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={80}
          required
          data-autofocus
        />
        {service.group !== 'image-model' && (
          <PriceFields
            value={amounts}
            onChange={setAmounts}
            hint={t(service.price ? 'operated.amountsHint' : 'operated.addAmountsHint')}
          />
        )}
        {/* A picture is not paid by the token. */}
        {service.group === 'image-model' && service.imagePrice === null && (
          <Text size="sm" c="dimmed">
            {t('operated.noImagePriceHint')}
          </Text>
        )}
        {service.group === 'model' && <AbilityFields value={abilities} onChange={setAbilities} />}
        <FormActions
          isBusy={change.isPending}
          disabled={name.trim() === '' || isHalf(amounts) || !toAbilities(abilities)}
          submit={t('common:save')}
          cancel={t('common:cancel')}
          error={change.error?.message}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

function AddForm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('models');
  const providers = useAnyProviders();
  const add = useAddService();
  const [provider, setProvider] = useState<string | null>(null);
  const [modelId, setModelId] = useState('');
  const [name, setName] = useState('');
  const [values, setValues] = useState(abilityValuesOf({ capabilities: ['tools', 'json'], contextTokens: 128_000 }));
  const abilities = toAbilities(values);
  const [amounts, setAmounts] = useState(amountsOf(null));
  const fields = add.error instanceof ApiError ? add.error.fields : {};
  const isThere = add.error instanceof ApiError && add.error.code === 'conflict';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!provider || !abilities) return;
        add.mutate(
          {
            provider,
            modelId: modelId.trim(),
            name: name.trim(),
            ...abilities,
            price: toPrice(amounts),
          },
          {
            onSuccess: () => {
              toast.success(t('operated.addDone', { name: name.trim() }));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <Select
          label={t('operated.provider')}
          data={(providers.data ?? []).map((each) => ({ value: each.name, label: each.title }))}
          value={provider}
          onChange={setProvider}
          error={fields['provider'] ?? providers.error?.message}
          required
          data-autofocus
        />
        <TextInput
          label={t('operated.modelId')}
          description={t('operated.modelIdHint')}
          value={modelId}
          onChange={(event) => setModelId(event.currentTarget.value)}
          error={isThere ? t('operated.exists') : fields['modelId']}
          maxLength={200}
          spellCheck={false}
          required
        />
        <TextInput
          label={t('common:name')}
          description={t('operated.nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fields['name']}
          maxLength={80}
          required
        />
        <AbilityFields value={values} onChange={setValues} error={fields['contextTokens']} />
        <PriceFields value={amounts} onChange={setAmounts} hint={t('operated.addAmountsHint')} />
        <FormActions
          isBusy={add.isPending}
          disabled={provider === null || modelId.trim() === '' || name.trim() === '' || !abilities || isHalf(amounts)}
          submit={t('operated.addSubmit')}
          cancel={t('common:cancel')}
          error={add.error && !isThere && Object.keys(fields).length === 0 ? add.error.message : undefined}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
