import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { isFree, usePrices } from '../features/billing/billing.queries.ts';
import { useCreditPrice } from '../features/payments/payments.queries.ts';
import { UsagePanel } from '../features/models/usage-panel.tsx';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/paged-list.tsx';
import { useOpenTab } from '../ui/use-open-tab.ts';

const panels = {
  usage: () => <UsagePanel buy={<BuyMore />} costs={<Costs />} />,
  prices: PricesPanel,
  purchases: lazy(async () => ({ default: (await import('../features/payments/purchases.tsx')).Purchases })),
  limits: lazy(async () => ({ default: (await import('../features/billing/caps.tsx')).Caps })),
  keys: lazy(async () => ({ default: (await import('../features/keys/key-list.tsx')).Keys })),
  models: lazy(async () => ({ default: (await import('../features/models/model-key-list.tsx')).ModelKeys })),
};
const Prices = lazy(async () => ({ default: (await import('../features/billing/prices.tsx')).Prices }));
const UsualCost = lazy(async () => ({ default: (await import('../features/billing/usual-cost.tsx')).UsualCost }));
const BuyCredits = lazy(async () => ({ default: (await import('../features/payments/buy-credits.tsx')).BuyCredits }));
const tabs = ['usage', 'prices', 'purchases', 'limits', 'keys', 'models'] as const satisfies (keyof typeof panels)[];

const route = getRouteApi('/app/Token');

export default function TokenPage() {
  const { t } = useTranslation('models');
  const { tab: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const mayManage = useMay('manage');
  const tab = mayManage ? (tabs.find((each) => each === wanted) ?? 'usage') : 'usage';
  const list = useOpenTab(tab);
  const Panel = panels[tab];
  const title = t(mayManage ? 'common:page.token' : 'common:usage');
  useTitle(title);
  return (
    <Page title={title}>
      {mayManage ? (
        <Tabs value={tab} onChange={(next) => void navigate({ search: next ? { tab: next } : {} })} keepMounted={false}>
          <Tabs.List ref={list}>
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`page.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            <Suspense fallback={<SkeletonRows />}>
              <Panel />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      ) : (
        <UsagePanel costs={<Costs />} />
      )}
    </Page>
  );
}

function PricesPanel() {
  return <Prices money={useCreditPrice()} />;
}

/** Where nothing costs credits they are bought under Purchases only. */
function BuyMore() {
  const { data: prices } = usePrices();
  return (
    prices?.some((price) => !isFree(price)) && (
      <Suspense>
        <BuyCredits />
      </Suspense>
    )
  );
}

const Costs = () => (
  <Suspense>
    <UsualCost />
  </Suspense>
);
