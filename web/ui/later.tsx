import { Suspense, useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from './toast.tsx';

/**
 * A component whose code comes when it is first shown. Where it cannot be fetched, that is told, `onFail` takes back what
 * showed it, and the next time it is asked for again; React's `lazy` would take the page down, and keep the failure.
 * `Waiting` keeps its place until then.
 */
export function later<P extends object>(fetchIt: () => Promise<ComponentType<P>>, Waiting?: ComponentType<P>) {
  let Loaded: ComponentType<P> | undefined;
  const load = async () => void (Loaded ??= await fetchIt());
  function Later({ onFail, ...rest }: P & { onFail(): void }) {
    const { t } = useTranslation('common');
    const [isLoaded, setIsLoaded] = useState(Loaded !== undefined);
    const fail = useEffectEvent(() => {
      toast.error(t('offline'));
      onFail();
    });
    useEffect(() => {
      let isShown = true;
      if (!isLoaded)
        load().then(
          () => isShown && setIsLoaded(true),
          () => isShown && fail(),
        );
      return () => void (isShown = false);
    }, [isLoaded]);
    // A border: without `onFail` these are the component's own.
    const props = rest as unknown as P;
    return isLoaded && Loaded ? (
      // Its texts may still be on their way.
      <Suspense fallback={Waiting && <Waiting {...props} />}>
        <Loaded {...props} />
      </Suspense>
    ) : (
      Waiting && <Waiting {...props} />
    );
  }
  /** For a button that is about to be pressed. */
  const prefetch = () => void load().catch(() => {}); // told by the attempt that needs it
  return Object.assign(Later, { reach: { onPointerEnter: prefetch, onFocus: prefetch } });
}
