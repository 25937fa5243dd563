import { lineChannels, type FoundAddress } from '../../../shared/contracts/line-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { parseJson } from '../../infra/json.ts';
import { readBytes } from '../../infra/outbound.ts';
import { newSecret } from '../../infra/sealed.ts';

const place = 'line_address';
/** LINE waits no longer. */
const timeoutMs = 2_000;
const Proof = lineChannels.proveAddress.reply;

/** Asks at an address whether it is ours: what is sealed there, nobody else can open. */
export async function tryAddress({ outbound, sealer }: Context, given: string): Promise<FoundAddress> {
  const { origin, pathname, protocol } = new URL(given);
  const address = `${origin}${pathname.replace(/\/$/, '')}`;
  const found = (fault: FoundAddress['fault'], status: number | null = null): FoundAddress => ({
    address,
    fault,
    status,
  });
  const proof = newSecret();
  const sealed = encodeURIComponent(sealer.seal(proof, place));
  try {
    const answer = await outbound.request(`${address}${lineChannels.proveAddress.path}?sealed=${sealed}`, {
      timeoutMs,
      signal: AbortSignal.timeout(timeoutMs * 3),
    });
    const body = (await readBytes(answer, 10_000)).toString();
    if (answer.status !== 200) return found('status', answer.status);
    if (Proof.safeParse(parseJson(body)).data?.data.proof !== proof) return found('other');
    return found(protocol === 'https:' ? null : 'plain');
  } catch (error) {
    if (error instanceof AppError) return found(error.code === 'address-not-allowed' ? 'private' : 'other');
    return found(/CERT|SIGNED|SSL|TLS/.test(codeOf(error)) ? 'certificate' : 'unreachable');
  }
}

/** Opens what `tryAddress` has sealed; what others send is refused. */
export function proveAddress({ sealer }: Context, sealed: string): string {
  try {
    return sealer.open(sealed, place);
  } catch {
    throw new AppError('validation-failed', { fields: [{ path: 'sealed', code: 'invalid' }] });
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
