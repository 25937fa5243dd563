import { useQuery } from '@tanstack/react-query';
import { images, maxThumbs } from '../../shared/contracts/images.ts';
import { call } from './api.ts';

/** The address of a small picture, as data: an object's address costs the page three calls to the browser for each picture. */
export const useThumb = (uuid: string, enabled: boolean) =>
  useQuery({
    queryKey: ['thumb', uuid],
    enabled,
    staleTime: Infinity,
    // A gallery is long, and what is out of sight can be fetched again.
    gcTime: 60_000,
    queryFn: () => fetchThumb(uuid),
  });

const waiting = new Map<string, PromiseWithResolvers<string | null>>();

/** Those that come into sight together are asked for together. Null where there is none. */
function fetchThumb(uuid: string): Promise<string | null> {
  if (waiting.size === 0) setTimeout(askThumbs);
  const asked = waiting.get(uuid) ?? Promise.withResolvers<string | null>();
  waiting.set(uuid, asked);
  return asked.promise;
}

function askThumbs(): void {
  const all = [...waiting];
  waiting.clear();
  for (let at = 0; at < all.length; at += maxThumbs) {
    const some = all.slice(at, at + maxThumbs);
    call(images.thumbs, { query: { uuids: some.map(([uuid]) => uuid).join(',') } }).then(
      ({ data }) => {
        const found = new Map(data.map(({ uuid, webp }) => [uuid, `data:image/webp;base64,${webp}`]));
        for (const [uuid, { resolve }] of some) resolve(found.get(uuid) ?? null);
      },
      (error: unknown) => some.forEach(([, { reject }]) => reject(error)),
    );
  }
}
