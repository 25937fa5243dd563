import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { payments } from '../../../shared/contracts/payments.ts';
import type { ParamsOf } from '../../../shared/route.ts';
import { fetchBytes } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { currentLocale } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { toast } from '../../ui/toast.tsx';

type PdfRoute = (typeof payments)['receipt' | 'creditNote' | 'operatedReceipt' | 'operatedCreditNote'];

interface Props<R extends PdfRoute> {
  route: R;
  params: ParamsOf<R>;
  /** Of the file. */
  name: string;
  children: string;
}

/** Saves a receipt or a credit note, in the language of the page. */
export function PdfLink<R extends PdfRoute>({ route, params, name, children }: Props<R>) {
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    setIsBusy(true);
    try {
      saveFile(await fetchBytes<PdfRoute>(route, { params, query: { locale: currentLocale() } }), {
        name,
        type: 'application/pdf',
      });
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Anchor component="button" type="button" size="xs" aria-busy={isBusy} onClick={() => void save()}>
      {children}
    </Anchor>
  );
}
