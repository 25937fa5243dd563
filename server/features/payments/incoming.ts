import { errorReply } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import type { Http } from '../../infra/http.ts';
import { callLimits } from '../../infra/limits.ts';
import type { CardGateway } from '../../providers/payments/gateway.ts';
import type { IncomingMessage } from 'node:http';
import { gatewayProviders } from '../../providers/payments/registry.ts';
import { cardGateways } from './gateways.ts';
import { findEvent, insertEvent } from './payments.store.ts';
import { isAway, take } from './settle.ts';

/** Events have some kilobytes. */
const maxBytes = 256 * 1024;
const noteMs = 60_000;

/**
 * Where a gateway says that something has happened. The bytes are checked as they came, and of what they say only whose payment it is
 * is believed: that is read at the gateway, and taken as whoever looks takes it, in one transaction with the event's id. Whatever
 * could not be done is answered with 503, and the gateway sends it again.
 */
export function incomingRoutes(app: Http, context: Context): void {
  for (const { name } of gatewayProviders) incomingRoute(app, context, name);
}

function incomingRoute(app: Http, context: Context, name: CardGateway['name']): void {
  const gatewayOf = () => cardGateways(context).find((each) => each.name === name);
  let unsigned = 0;
  let notedAt = -Infinity;
  void app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, raw: IncomingMessage, taken) =>
      app.bodies.readBytes(
        raw,
        { limit: maxBytes, hold: () => (request.held = app.bodies.hold(addressKey(request.ip))) },
        taken,
      ),
    );
    scope.addHook('onResponse', async (request) => request.held?.release());
    scope.post(
      `/webhook/${name}`,
      {
        schema: { hide: true },
        config: { limit: callLimits.incoming },
        bodyLimit: maxBytes,
        async onRequest(_request, reply) {
          if (!gatewayOf()) return reply.status(404).send(errorReply('not-found', 'There is no gateway here.'));
        },
      },
      async ({ body, headers, ip }, reply) => {
        const gateway = gatewayOf();
        const event = await gateway?.readEvent(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers);
        if (!gateway || !event) {
          // Anybody may cause this line, so it is written seldom.
          unsigned++;
          if (Date.now() >= notedAt + noteMs) {
            context.log.warn(
              { gateway: name, address: ip, unsigned },
              'what came as an event of a gateway was not signed by it, or long ago',
            );
            notedAt = Date.now();
            unsigned = 0;
          }
          return reply
            .status(400)
            .send(errorReply('bad-request', 'This is not signed with the secret of this webhook.'));
        }
        const known = { id: event.id, type: event.type, created_at: Date.now() };
        if (await findEvent(context.db, event.id)) return reply.status(200).send({});
        if (event.payment === null) {
          await insertEvent(context.db, { ...known, payment: null });
          return reply.status(200).send({});
        }
        try {
          await take(context, { reading: await gateway.read(event.payment), event: known });
        } catch (error) {
          if (!isAway(error)) throw error;
          context.log.warn({ err: error, event: event.id }, 'a payment could not be read at its gateway');
          return reply
            .status(503)
            .header('retry-after', 60)
            .send(errorReply('payments-unreachable', 'The payment could not be read. Send it again.'));
        }
        return reply.status(200).send({});
      },
    );
    done();
  });
}
