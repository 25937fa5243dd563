import type { Migration } from '../infra/migrate.ts';
import { foundation } from './0001-foundation.ts';
import { keywordIndex } from './0002-keyword-index.ts';
import { accounts } from './0003-accounts.ts';
import { answers } from './0004-answers.ts';
import { lanes } from './0005-lanes.ts';
import { trash } from './0006-trash.ts';
import { serviceAbilities } from './0007-service-abilities.ts';
import { fileLookups } from './0008-file-lookups.ts';
import { securityEpoch } from './0009-security-epoch.ts';
import { creditGrants } from './0010-credit-grants.ts';
import { secretOrigins } from './0011-secret-origins.ts';
import { sessionSecrets } from './0012-session-secrets.ts';
import { sentFiles } from './0013-sent-files.ts';
import { silentThreads } from './0014-silent-threads.ts';
import { cacheWrites } from './0015-cache-writes.ts';
import { saidAbilities } from './0016-said-abilities.ts';
import { picturesByAge } from './0017-pictures-by-age.ts';
import { messagesWithFiles } from './0018-messages-with-files.ts';
import { chunkEdits } from './0019-chunk-edits.ts';
import { botMarks } from './0020-bot-marks.ts';
import { creditRequests } from './0021-credit-requests.ts';
import { deletedBy } from './0022-deleted-by.ts';
import { baseSettings } from './0023-base-settings.ts';
import { suggestions } from './0024-suggestions.ts';
import { channels } from './0025-channels.ts';
import { unanswered } from './0026-unanswered.ts';
import { notices } from './0027-notices.ts';
import { figures } from './0028-figures.ts';
import { outgoingWebhooks } from './0029-outgoing-webhooks.ts';
import { channelSpending } from './0030-channel-spending.ts';
import { visitors } from './0031-visitors.ts';
import { erasedWithThreads } from './0032-erased-with-threads.ts';
import { mentions } from './0033-mentions.ts';
import { outgoing } from './0034-outgoing.ts';
import { writtenBy } from './0035-written-by.ts';
import { line } from './0036-line.ts';
import { lineMenus } from './0037-line-menus.ts';
import { identities } from './0038-identities.ts';
import { menuDesigns } from './0039-menu-designs.ts';
import { richMessages } from './0040-rich-messages.ts';
import { lineCampaigns } from './0041-line-campaigns.ts';
import { quotes } from './0042-quotes.ts';
import { read } from './0043-read.ts';
import { guestThreads } from './0044-guest-threads.ts';
import { webhookAnswers } from './0045-webhook-answers.ts';
import { lineErasure } from './0046-line-erasure.ts';
import { accountLink } from './0047-account-link.ts';
import { voices } from './0048-voices.ts';
import { lineFiles } from './0049-line-files.ts';
import { campaignPauses } from './0050-campaign-pauses.ts';
import { jobTenant } from './0051-job-tenant.ts';
import { lineFriends } from './0052-line-friends.ts';
import { tokenSums } from './0055-token-sums.ts';
import { creditCaps } from './0056-credit-caps.ts';
import { lineErased } from './0057-line-erased.ts';
import { payments } from './0060-payments.ts';
import { images } from './0061-images.ts';
import { stripePayments } from './0062-stripe.ts';
import { paymentHolds } from './0063-payment-holds.ts';
import { explore } from './0064-explore.ts';
import { sumsWithPictures } from './0065-sums-with-pictures.ts';
import { imageParts } from './0066-image-parts.ts';
import { topUp } from './0067-top-up.ts';
import { listingFaces } from './0068-listing-faces.ts';
import { answersKept } from './0069-answers-kept.ts';
import { copying } from './0070-copying.ts';
import { deliveryStates } from './0071-delivery-states.ts';
import { deliveryMessage } from './0072-delivery-message.ts';
import { deliveryEvents } from './0073-delivery-events.ts';
import { waiting } from './0074-waiting.ts';
import { broadcastReplies } from './0075-broadcast-replies.ts';
import { listingOrder } from './0076-listing-order.ts';
import { moments } from './0085-moments.ts';
import { lineLists } from './0086-line-lists.ts';
import { turns } from './0090-turns.ts';
import { pictureFaces } from './0091-picture-faces.ts';
import { toldLanguages } from './0092-told-languages.ts';
import { foldedSearch } from './0094-folded-search.ts';
import { namedModels } from './0097-named-models.ts';
import { replacements } from './0098-replacements.ts';
import { shownNames } from './0099-shown-names.ts';
import { allowedHosts } from './0100-allowed-hosts.ts';
import { documentWarnings } from './0101-document-warnings.ts';
import { websites } from './0103-websites.ts';
import { documentVersions } from './0104-document-versions.ts';
import { labels } from './0105-labels.ts';
import { typedClaims } from './0077-typed-claims.ts';
import { idempotency } from './0080-idempotency.ts';
import { lineRequests } from './0081-line-requests.ts';

/** In order, forward only; a step that has been released is never edited. */
export const migrations: Migration[] = [
  foundation,
  keywordIndex,
  accounts,
  answers,
  lanes,
  trash,
  serviceAbilities,
  fileLookups,
  securityEpoch,
  creditGrants,
  secretOrigins,
  sessionSecrets,
  sentFiles,
  silentThreads,
  cacheWrites,
  saidAbilities,
  picturesByAge,
  messagesWithFiles,
  chunkEdits,
  botMarks,
  creditRequests,
  deletedBy,
  baseSettings,
  suggestions,
  channels,
  unanswered,
  notices,
  figures,
  outgoingWebhooks,
  channelSpending,
  visitors,
  erasedWithThreads,
  mentions,
  outgoing,
  writtenBy,
  line,
  lineMenus,
  identities,
  menuDesigns,
  richMessages,
  lineCampaigns,
  quotes,
  read,
  guestThreads,
  webhookAnswers,
  lineErasure,
  accountLink,
  voices,
  lineFiles,
  campaignPauses,
  jobTenant,
  lineFriends,
  tokenSums,
  creditCaps,
  lineErased,
  payments,
  images,
  stripePayments,
  paymentHolds,
  explore,
  sumsWithPictures,
  imageParts,
  topUp,
  listingFaces,
  answersKept,
  copying,
  deliveryStates,
  deliveryMessage,
  deliveryEvents,
  waiting,
  broadcastReplies,
  listingOrder,
  typedClaims,
  idempotency,
  lineRequests,
  turns,
  moments,
  lineLists,
  pictureFaces,
  toldLanguages,
  foldedSearch,
  namedModels,
  replacements,
  shownNames,
  allowedHosts,
  documentWarnings,
  websites,
  documentVersions,
  labels,
];
