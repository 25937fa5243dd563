import type { Locale } from '../../../shared/contracts/accounts.ts';
import { formatMoney } from '../../../shared/money.ts';
import { translate } from '../../infra/translate.ts';
import { typefaceFile, writable } from '../../infra/typeface.ts';

/** What a receipt or a credit note says. Amounts are in the smallest unit of the currency. */
export interface Printed {
  kind: 'receipt' | 'credit-note';
  number: number;
  locale: Locale;
  timezone: string;
  /** Epoch milliseconds. */
  issuedAt: number;
  buyer: string;
  seller: string;
  address: string;
  /** T and 13 digits; empty without one. */
  registration: string;
  credits: number;
  amount: number;
  currency: 'JPY' | 'USD';
  method: string | null;
  /** It was bought by the automatic top-up. */
  isAutomatic: boolean;
  order: string;
  isSandbox: boolean;
  /** Of a credit note. */
  receipt?: { number: number; issuedAt: number; amount: number };
  reason?: string;
}

const taxPercent = 10;

/**
 * The tax in an amount that includes it, rounded down once for a document, as a qualified invoice may; nothing where no
 * qualified invoice can be issued. https://www.nta.go.jp/taxes/shiraberu/taxanswer/shohi/6625.htm
 */
export function taxIn({
  amount,
  currency,
  registration,
  seller,
}: Pick<Printed, 'amount' | 'currency' | 'registration' | 'seller'>) {
  if (registration === '' || seller === '' || currency !== 'JPY') return undefined;
  return { percent: taxPercent, amount: Math.floor((amount * taxPercent) / (100 + taxPercent)) };
}

const margin = 56;
const ink = '#141a15';
const quiet = '#545e55';
const line = '#c5ccc0';

/** A page in A4 with the typeface inside, of which only the letters that are used. */
export async function printReceipt(printed: Printed): Promise<Buffer> {
  // A server where nobody buys keeps none of it in memory.
  const { default: PDFDocument } = await import('pdfkit');
  const { locale, currency, kind, isSandbox, receipt } = printed;
  const t = (key: Parameters<typeof translate>[1], values?: Record<string, unknown>) => translate(locale, key, values);
  const money = (amount: number) => formatMoney(amount, currency, locale);
  const day = (at: number) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: printed.timezone }).format(at);
  const credits = new Intl.NumberFormat(locale).format(printed.credits);
  const isNote = kind === 'credit-note';
  const tax = taxIn(printed);
  const title = t(isNote ? 'payments-server:creditNote' : 'payments-server:receipt');
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    lang: locale,
    info: {
      Title: `${title} ${printed.number}`,
      Author: printed.seller || 'Kotae',
      Creator: 'Kotae',
      Producer: 'Kotae',
    },
  });
  pdf.registerFont('regular', typefaceFile('regular'));
  pdf.registerFont('bold', typefaceFile('bold'));
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    pdf.on('error', reject);
  });
  const width = pdf.page.width - 2 * margin;

  interface Look {
    weight?: 'regular' | 'bold';
    size?: number;
    color?: string;
    x?: number;
    y?: number;
    width?: number;
    align?: 'left' | 'right';
  }
  const write = async (text: string, look: Look = {}) => {
    const { weight = 'regular', size = 10, color = ink, x = margin, y = pdf.y, align = 'left' } = look;
    pdf
      .font(weight)
      .fontSize(size)
      .fillColor(color)
      .text(await writable(text, weight), x, y, { width: look.width ?? width, align, lineGap: size * 0.35 });
  };
  const rule = (color = line) => {
    pdf
      .moveTo(margin, pdf.y)
      .lineTo(margin + width, pdf.y)
      .lineWidth(0.7)
      .strokeColor(color)
      .stroke();
    pdf.y += 8;
  };
  /** A name and its value side by side; the taller one decides where the next line begins. */
  const pair = async (name: string, value: string, look: Look = {}) => {
    const top = pdf.y;
    await write(name, { color: quiet, y: top, width: 150 });
    const left = pdf.y;
    await write(value, { ...look, x: margin + 160, y: top, width: width - 160 });
    pdf.y = Math.max(left, pdf.y) + 5;
  };
  const priced = async (name: string, amount: number, look: Look = {}) => {
    const top = pdf.y;
    await write(name, { ...look, y: top, width: width - 130 });
    const left = pdf.y;
    await write(money(amount), { ...look, x: margin + width - 130, y: top, width: 130, align: 'right' });
    pdf.y = Math.max(left, pdf.y) + 4;
  };

  if (isSandbox) {
    await write(t('payments-server:sandbox'), { weight: 'bold', size: 10, color: '#b8331a' });
    pdf.y += 12;
  }
  const top = pdf.y;
  await write(title, { weight: 'bold', size: 22 });
  // An invoice says to whom, too.
  if (tax && printed.buyer)
    await write(t(isNote ? 'payments-server:qualifiedNote' : 'payments-server:qualified'), { color: quiet });
  const below = pdf.y;
  await write(t('payments-server:number', { number: printed.number }), {
    y: top + 8,
    x: margin + width - 200,
    width: 200,
    align: 'right',
  });
  pdf.y = below + 16;
  rule(ink);
  await pair(t('payments-server:date'), day(printed.issuedAt));
  if (printed.buyer) await pair(t('payments-server:to'), printed.buyer, { weight: 'bold' });
  if (receipt)
    await pair(
      t('payments-server:for'),
      t('payments-server:ofReceipt', { number: receipt.number, date: day(receipt.issuedAt) }),
    );
  if (printed.reason) await pair(t('payments-server:reason'), printed.reason);
  if (!isNote && printed.method) {
    const method = printed.method
      .replace(/^card\b/, t('payments-server:card'))
      .replace(/^\w/, (first) => first.toUpperCase());
    await pair(t('payments-server:method'), printed.isAutomatic ? t('payments-server:automatic', { method }) : method);
  }
  await pair(t(isNote ? 'payments-server:returned' : 'payments-server:total'), money(printed.amount), {
    weight: 'bold',
    size: 15,
  });
  pdf.y += 16;
  const header = pdf.y;
  await write(t('payments-server:item'), { color: quiet, size: 9, y: header });
  await write(t('payments-server:amount'), { color: quiet, size: 9, y: header, align: 'right' });
  pdf.y += 2;
  rule(ink);
  const isPart = receipt !== undefined && printed.amount < receipt.amount;
  await priced(
    t(isPart ? 'payments-server:partBack' : isNote ? 'payments-server:creditsBack' : 'payments-server:credits', {
      credits,
    }),
    printed.amount,
  );
  rule();
  if (tax) {
    await priced(t('payments-server:taxed', { rate: tax.percent }), printed.amount);
    await priced(t('payments-server:tax', { rate: tax.percent }), tax.amount, { color: quiet });
    rule();
  }
  pdf.y += 24;
  if (printed.seller) {
    await write(t('payments-server:by'), { color: quiet, size: 9 });
    await write(printed.seller, { weight: 'bold', size: 12 });
    if (printed.address) await write(printed.address);
    if (printed.registration) await write(t('payments-server:registration', { number: printed.registration }));
    pdf.y += 16;
  }
  await write(t('payments-server:page', { id: printed.order }), { color: quiet, size: 8 });
  pdf.end();
  return done;
}
