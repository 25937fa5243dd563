import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { BuyDialog } from './buy-dialog.tsx';
import { usePackages } from './payments.queries.ts';

/** Beside a balance: buys more where credits are sold, and is nothing where they are not. */
export function BuyCredits() {
  const { t } = useTranslation('billing');
  const sold = usePackages().data?.data ?? [];
  const [isOpen, setIsOpen] = useState(false);
  if (sold.length === 0) return null;
  return (
    <>
      <Button size="xs" onClick={() => setIsOpen(true)}>
        {t('buy')}
      </Button>
      <BuyDialog opened={isOpen} packages={sold} onClose={() => setIsOpen(false)} />
    </>
  );
}
