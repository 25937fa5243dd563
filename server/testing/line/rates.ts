/** How often an operation may be asked: https://developers.line.biz/en/reference/messaging-api/#rate-limits */
const hour = 60 * 60_000;
const minute = 60_000;
const second = 1_000;
const rates: Record<string, { count: number; perMs: number }> = {
  narrowcast: { count: 60, perMs: hour },
  broadcast: { count: 60, perMs: hour },
  getNumberOfMessageDeliveries: { count: 60, perMs: hour },
  getNumberOfFollowers: { count: 60, perMs: hour },
  getMessageEvent: { count: 60, perMs: hour },
  getStatisticsPerUnit: { count: 60, perMs: hour },
  getRichMenuInsightSummary: { count: 60, perMs: hour },
  getRichMenuInsightDaily: { count: 60, perMs: hour },
  testWebhookEndpoint: { count: 60, perMs: hour },
  setWebhookEndpoint: { count: 1_000, perMs: minute },
  getWebhookEndpoint: { count: 1_000, perMs: minute },
  createRichMenu: { count: 100, perMs: hour },
  deleteRichMenu: { count: 100, perMs: hour },
  deleteRichMenuAlias: { count: 100, perMs: hour },
  getRichMenuBatchProgress: { count: 100, perMs: hour },
  richMenuBatch: { count: 3, perMs: hour },
  getRichMenuList: { count: 10, perMs: second },
  multicast: { count: 200, perMs: second },
  showLoadingAnimation: { count: 100, perMs: second },
};
const usual = { count: 2_000, perMs: second };

/** A bucket of tokens for each operation, which fills again as time goes by. */
export class Rates {
  #buckets = new Map<string, { tokens: number; at: number }>();
  #scale: number;

  constructor(scale: number) {
    this.#scale = scale;
  }

  take(operation: string, now: number): boolean {
    const { count, perMs } = rates[operation] ?? usual;
    const size = Math.max(1, count * this.#scale);
    const { tokens, at } = this.#buckets.get(operation) ?? { tokens: size, at: now };
    const filled = Math.min(size, tokens + ((now - at) * size) / perMs);
    const isTaken = filled >= 1;
    this.#buckets.set(operation, { tokens: filled - Number(isTaken), at: now });
    return isTaken;
  }
}
