import { modelProviders } from '../../providers/models/registry.ts';
import type { Wire } from './double.ts';

/** The wire of every provider that is reached with a key: the file here has the provider's name. */
export const wires: Wire[] = await Promise.all(
  modelProviders.flatMap(({ name, settings }) => (settings ? [readWire(name)] : [])),
);

async function readWire(name: string): Promise<Wire> {
  const { wire }: { wire: Wire } = await import(`./${name}.ts`);
  return wire;
}
