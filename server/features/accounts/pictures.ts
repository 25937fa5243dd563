import { AppError } from '../../../shared/errors.ts';
import { readBytes } from '../../infra/outbound.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import type { Context } from '../../feature.ts';
import { keepAvatar } from '../files/files.ts';
import { findUser, updateUser } from '../users/users.ts';
import { listMemberships } from '../workspaces/memberships.ts';

export const copyPictureKind = jobKind<{ user: string; url: string }>({
  name: 'account.copy-picture',
  lane: 'upkeep',
  timeoutMs: 60_000,
});

const maxBytes = 5 * 1024 * 1024;
const maxMs = 15_000;

/** Copies the picture that a sign-in provider names, since our pages load nothing from elsewhere. A person who has a picture by then keeps it. */
export function copyPictureJob(context: Context): JobHandler<{ user: string; url: string }> {
  const { db, outbound } = context;
  return {
    async run({ user: uuid, url }, { signal }) {
      const [user, workspaces] = await Promise.all([findUser(db, uuid), listMemberships(db, { user: uuid })]);
      const personal = workspaces.find(({ personal_of }) => personal_of === uuid);
      if (!user || user.avatar || !personal) return;
      try {
        const response = await outbound.request(url, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
          timeoutMs: maxMs,
        });
        if (response.status !== 200) return void response.body.destroy();
        const kept = await keepAvatar(
          context,
          { workspace: personal.uuid, user: uuid },
          await readBytes(response, maxBytes),
        );
        await updateUser(db, uuid, { avatar: kept.uuid });
      } catch (error) {
        // A picture that is invalid or may not be fetched will not become better by trying again.
        if (!(error instanceof AppError)) throw error;
      }
    },
  };
}
