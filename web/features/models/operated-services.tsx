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
import { useState, type ReactNode } from 'react';
import type { ModelProviderInfo, OperatedService, Price } from '../../../shared/contracts/services.ts';
import { ApiError } from '../../lib/api.ts';
import { formatShort } from '../../lib/amounts.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { dayHere, formatLongDay, formatNumber } from '../../lib/format.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
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
import { SetUpProvider } from './set-up-provider.tsx';

/** The models of the installation: which of them people see, under which name, at which price. */
export function OperatedServices() {
  const { t } = useTranslation('models');
  const services = useOperatedServices();
  const providers = useAnyProviders();
  const [q, setQ] = useState('');
  const [isAdding, add] = useDisclosure();
  const [editing, setEditing] = useState<OperatedService>();
  const [settingUp, setSettingUp] = useState<ModelProviderInfo>();
  if (services.isPending || providers.isPending) return <SkeletonRows />;
  if (!services.data || !providers.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(services.error ?? providers.error)}
        retry={t('common:retry')}
        onRetry={() => void Promise.all([services.refetch(), providers.refetch()])}
      />
    );
  const wanted = plain(q);
  const infoOf = (provider: string) => providers.data.find(({ name }) => name === provider);
  const titleOf = (provider: string) => infoOf(provider)?.title ?? t('operated.own');
  const rows = services.data.filter(({ name, modelId, provider }) =>
    plain(`${modelName(name)} ${modelId} ${titleOf(provider)}`).includes(wanted),
  );
  const byProvider = Map.groupBy(rows, ({ provider }) => provider);
  const ownServer = providers.data.find(({ kind }) => kind === 'server');
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
              <th>{t('operated.model')}</th>
              <th data-from="md" className={classes['id']}>
                {t('operated.modelId')}
              </th>
              <th data-from="md" data-number className={classes['context']}>
                {t('operated.contextHead')}
              </th>
              {(['in', 'out'] as const).map((part) => (
                <th key={part} data-from="sm" data-number className={classes['price']}>
                  {t(`operated.priceHeads.${part}`)}
                </th>
              ))}
              <th className={classes['shown']}>{t('operated.shown')}</th>
              <th className={classes['menu']}>
                <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
              </th>
            </tr>
          </thead>
          {[...byProvider].map(([provider, own]) => (
            <ProviderModels
              key={provider}
              info={infoOf(provider)}
              title={titleOf(provider)}
              services={own}
              isSearched={wanted !== ''}
              onEdit={setEditing}
              onSetUp={setSettingUp}
            />
          ))}
          {/* Which models it has is known once it is there. */}
          {ownServer && wanted === '' && !byProvider.has(ownServer.name) && (
            <tbody>
              <ProviderRow
                name={
                  <span>
                    <img src={ownServer.avatar.url} alt="" width={20} height={20} />
                    <b>{ownServer.title}</b>
                  </span>
                }
                state={<State kind="draft">{t('operated.notConnected')}</State>}
                setUp={<SetUpButton info={ownServer} onSetUp={setSettingUp} />}
              />
            </tbody>
          )}
        </table>
      )}
      <Modal opened={editing !== undefined} onClose={() => setEditing(undefined)} title={t('operated.edit')} centered>
        {editing && <EditForm service={editing} onClose={() => setEditing(undefined)} />}
      </Modal>
      <Modal opened={isAdding} onClose={add.close} title={t('operated.add')} centered>
        <AddForm onClose={add.close} />
      </Modal>
      <SetUpProvider provider={settingUp} onClose={() => setSettingUp(undefined)} />
    </>
  );
}

/** Letters of every width and case are the same to who searches. */
const plain = (text: string) => text.normalize('NFKC').toLocaleLowerCase();

interface ProviderProps {
  /** Nothing of the models that are built in. */
  info: ModelProviderInfo | undefined;
  title: string;
  services: OperatedService[];
  /** What a search has found is seen. */
  isSearched: boolean;
  onEdit(service: OperatedService): void;
  onSetUp(provider: ModelProviderInfo): void;
}

function ProviderModels({ info, title, services, isSearched, onEdit, onSetUp }: ProviderProps) {
  // Of models that the server has no key for there is seldom anything to decide.
  const [isOpen, setIsOpen] = useState(services.some(({ reason }) => reason !== 'no-key'));
  const usual = usualOf(services);
  const isShown = isOpen || isSearched;
  return (
    <tbody>
      <ProviderRow
        name={
          <button type="button" aria-expanded={isShown} disabled={isSearched} onClick={() => setIsOpen(!isOpen)}>
            <IconChevronRight size={16} aria-hidden />
            {usual && <img src={usual.avatar.url} alt="" width={20} height={20} />}
            <b>{title}</b>
            <small>{formatNumber(services.length)}</small>
          </button>
        }
        state={usual && <Access service={usual} />}
        setUp={
          info &&
          // A server on this machine is found by itself, and another one may be meant.
          (info.kind === 'server' || usual?.reason === 'no-key') && <SetUpButton info={info} onSetUp={onSetUp} />
        }
      />
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

/** Its state stands after its name, or below it where there is no room. */
function ProviderRow({ name, state, setUp }: Record<'name' | 'state' | 'setUp', ReactNode>) {
  return (
    <tr className={classes['provider']}>
      <th scope="rowgroup">
        <div className={classes['head']}>
          {name}
          <div>{state}</div>
        </div>
      </th>
      <td colSpan={6} data-number>
        {setUp}
      </td>
    </tr>
  );
}

function SetUpButton({ info, onSetUp }: { info: ModelProviderInfo } & Pick<ProviderProps, 'onSetUp'>) {
  const { t } = useTranslation('models');
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={t('operated.setUp.openName', { provider: info.title })}
      onClick={() => onSetUp(info)}
    >
      {t('operated.setUp.open')}
    </Button>
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

/** With cents, so that the figures of a column stand under each other. */
const formatPrice = (amount: number) =>
  new Intl.NumberFormat(formatLocale(), { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(
    amount,
  );

/** What a model costs by the token, where that is what is paid for. */
const ratesOf = ({ group, price }: OperatedService) =>
  price && group !== 'image-model' && price.in + price.out > 0
    ? { in: formatPrice(price.in), out: formatPrice(price.out) }
    : null;

/** What a model without rates costs; that nobody has said is told where the model is offered. */
function PriceOf({ service }: { service: OperatedService }) {
  const { t } = useTranslation('models');
  const { group, price, imagePrice, key, hidden } = service;
  const isOfImages = group === 'image-model';
  const free = <span className={table['quiet']}>{t('usage.free')}</span>;
  if (price && price.in + price.out === 0) return free;
  if (imagePrice !== null) return t('operated.imagePrice', { price: formatPrice(imagePrice) });
  // A server of the operator's own answers without one, too.
  if (key) return free;
  // Nobody can set that, so it is nothing to warn of.
  if (isOfImages)
    return (
      <span className={table['quiet']} title={t('operated.noImagePriceHint')}>
        {t('operated.ownKeys')}
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
  const rates = ratesOf(service);
  const old = readOn && isOld(pricedAt) && <small className={classes['old']}>{readOn}</small>;
  const priceCell = { 'data-from': 'sm', 'data-number': true, ...(readOn && { title: readOn }) };
  return (
    <tr>
      <td>
        <div className={classes['named']}>
          <b {...(hidden && { 'data-hidden': true })}>{name}</b>
          {group === 'image-model' && <small>{t('operated.images')}</small>}
          {(added || changed) && <State kind="draft">{t(added ? 'operated.added' : 'operated.changed')}</State>}
          {/* That it lacks a price stands in place of the price. */}
          {!isUsual && service.reason !== 'no-price' && <Access service={service} />}
        </div>
        <span className={`${table['onPhone']} ${classes['second']}`}>
          {rates ? t('operated.bothPrices', rates) : <PriceOf service={service} />}
        </span>
      </td>
      <td data-from="md" className={`${table['quiet']} ${table['one']}`} title={modelId}>
        {modelId}
      </td>
      <td data-from="md" data-number className={table['quiet']}>
        {group === 'image-model' ? '—' : contextTokens > 0 && formatShort(contextTokens)}
      </td>
      {rates ? (
        <>
          <td {...priceCell}>{rates.in}</td>
          <td {...priceCell}>
            {rates.out}
            {old}
          </td>
        </>
      ) : (
        <td colSpan={2} {...priceCell}>
          <PriceOf service={service} />
          {old}
        </td>
      )}
      <td>
        <Switch
          styles={{ body: { justifyContent: 'center' } }}
          aria-label={t('operated.show', { name })}
          checked={!hidden}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate(
              { uuid, changes: { hidden: !event.currentTarget.checked } },
              { onError: (error) => toast.error(errorText(error)) },
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
  const failed = (error: unknown) => toast.error(errorText(error));
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
        {service.group !== 'image-model' && service.key !== 'none' && (
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
          error={problemOf(change.error)}
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
          error={fields['provider'] ?? problemOf(providers.error)}
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
          error={add.error && !isThere && Object.keys(fields).length === 0 ? errorText(add.error) : undefined}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
