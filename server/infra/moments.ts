import type { Entity } from './db.types.ts';

/** What every thing with an id says of itself; rows keep milliseconds. */
export const momentsOf = ({ created_at, updated_at }: Pick<Entity, 'created_at' | 'updated_at'>) => ({
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
});
