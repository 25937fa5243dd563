import type { CreditPrice } from '../../../shared/contracts/usage.ts';
import type { Price } from '../../../shared/contracts/services.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { Context } from '../../feature.ts';
import { costOf, costOfPicture } from './ledger.ts';

const million = 1_000_000;

/** What each service that a workspace can use costs, as answers are charged: list price × 100 × the operator's margin. */
export async function listPrices(
  { config: { CREDIT_MARGIN: margin }, models }: Context,
  workspace: string,
): Promise<CreditPrice[]> {
  return (await models.list(workspace)).flatMap((service) => {
    const { uuid, name, avatar, key, price, imagePrice, pricedAt, availability, createdAt, updatedAt } = service;
    if (key === null || availability === 'disabled') return [];
    return {
      uuid,
      name,
      avatar,
      key,
      tokens: price && { ...ratesOf(price, margin), long: price.long ? longOf(price.long, margin) : null },
      image: imagePrice === null ? null : costOfPicture(imagePrice, margin) / microPerCredit,
      pricedAt,
      createdAt,
      updatedAt,
    };
  });
}

const noTokens = { tokensIn: 0, tokensOut: 0, tokensCached: 0 };

/** Credits for a million tokens of each kind, each by the formula that charges them. */
function ratesOf({ in: input, out, cached }: Pick<Price, 'in' | 'out' | 'cached'>, margin: number) {
  const cost = (tokens: Partial<typeof noTokens>) =>
    costOf({ in: input, out, cached }, { ...noTokens, ...tokens }, margin) / microPerCredit;
  return {
    in: cost({ tokensIn: million }),
    out: cost({ tokensOut: million }),
    cached: cost({ tokensIn: million, tokensCached: million }),
  };
}

const longOf = (long: NonNullable<Price['long']>, margin: number) => ({ above: long.above, ...ratesOf(long, margin) });
