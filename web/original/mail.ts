import PostalMime, { type Address } from 'postal-mime';
import { elementOf, isLong, parseHtml, plainPage, readable, type Drawing } from './drawing.ts';

/** A mail as mail programs show it: from whom, to whom, when, and what. */
export async function openMail(bytes: ArrayBuffer): Promise<Drawing> {
  const mail = await PostalMime.parse(bytes);
  const page = plainPage(readable);
  const head = document.createElement('table');
  for (const { key, originalKey } of mail.headers) {
    if (!['from', 'to', 'cc', 'date', 'subject'].includes(key)) continue;
    const row = document.createElement('tr');
    const value: Record<string, string | undefined> = {
      from: namesOf(mail.from ? [mail.from] : []),
      to: namesOf(mail.to),
      cc: namesOf(mail.cc),
      subject: mail.subject,
    };
    const written = mail.headers.find((each) => each.key === key)?.value ?? '';
    row.append(elementOf('th', originalKey), elementOf('td', value[key] ?? written));
    head.append(row);
  }
  const body = mail.html ? parseHtml(mail.html) : undefined;
  if (body) for (const picture of body.querySelectorAll('img[src^="cid:"]')) bringIn(picture, mail.attachments);
  page.body.append(head, ...(body ? body.body.childNodes : [elementOf('pre', mail.text ?? '')]));
  return isLong(page);
}

const namesOf = (all: Address[] = []): string =>
  all.map(({ name, address }) => (address ? `${name} <${address}>`.trim() : name)).join(', ');

function bringIn(picture: Element, attachments: Awaited<ReturnType<typeof PostalMime.parse>>['attachments']): void {
  const id = picture.getAttribute('src')?.slice('cid:'.length);
  const found = attachments.find(({ contentId }) => contentId === `<${id}>`);
  if (!found) return;
  const content = typeof found.content === 'string' ? found.content : new Uint8Array(found.content);
  picture.setAttribute('src', URL.createObjectURL(new Blob([content], { type: found.mimeType })));
}
