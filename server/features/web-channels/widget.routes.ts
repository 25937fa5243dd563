import { z } from 'zod';
import { locales, type Locale } from '../../../shared/contracts/accounts.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import type { Context } from '../../feature.ts';
import type { Http } from '../../infra/http.ts';
import { localeOf, translate } from '../../infra/translate.ts';
import { framesOf, isLocal } from './web-channels.ts';

const isUuid = (value: unknown): value is string => z.uuid().safeParse(value).success;

/** The page of the widget's frame: on the domains of its channel, and on our own pages. */
export function widgetRoutes(app: Http, context: Context): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/Bot/:bot/chat_embed',
    { schema: { hide: true } },
    async (request, reply) => {
      const { channel, language, preview } = request.query;
      const locale = locales.find((each) => each === language) ?? localeOf(request.headers['accept-language']);
      const domains =
        channel === undefined ? [] : isUuid(channel) ? await framesOf(context, channel.toLowerCase()) : undefined;
      if (domains)
        return app.sendChat(reply, {
          locale,
          ancestors: domains.flatMap(toSources),
          // What a maker asks for is another answer.
          asks: isUuid(channel) && preview === undefined ? `${visitors.setting.path}?channel=${channel}` : undefined,
        });
      // There is nothing on it to be pressed, so any page may show that there is nothing.
      return reply
        .status(404)
        .removeHeader('x-frame-options')
        .header('content-security-policy', "default-src 'none'")
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(gonePage(locale));
    },
  );
}

/** A domain as a content security policy names it. A machine of a maker's own has no certificate, and any port: https://www.w3.org/TR/CSP3/#match-hosts */
function toSources(domain: string): string[] {
  if (!isLocal(domain)) return [`https://${domain}`];
  const hosts = domain.includes(':') ? [domain] : [domain, `${domain}:*`];
  return hosts.flatMap((host) => [`https://${host}`, `http://${host}`]);
}

const gonePage = (locale: Locale) =>
  `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Kotae</title><p>${translate(locale, 'widget:gone')}</p></html>`;
