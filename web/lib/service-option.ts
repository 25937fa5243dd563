import type { Service } from '../../shared/contracts/services.ts';
import { modelName } from './model-name.ts';

interface ServiceOption {
  imageSrc: string;
  name: string;
  tag: string;
  value: string;
  tooltip: string[];
}

/** What a list to choose from shows of a service; the tag is what its name ends with in parentheses. */
export function toServiceOption(service: Pick<Service, 'uuid' | 'name' | 'avatar'>, tooltip: string[]): ServiceOption {
  const [, name = service.name, tag = ''] = /^(.*)[(（]([^()（）]*)[)）]$/.exec(modelName(service.name)) ?? [];
  return { imageSrc: service.avatar.url, name: name.trim(), tag, value: service.uuid, tooltip };
}
