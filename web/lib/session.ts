import { accounts, type User } from '../../shared/contracts/accounts.ts';
import { services, type Service } from '../../shared/contracts/services.ts';
import { call, rememberSession } from './api.ts';
import { createStore } from './store.ts';

const user = createStore<User | undefined>(undefined);
const serviceList = createStore<Service[]>([]);

/** Nobody, until the profile has been fetched. */
export const useUser = user.use;
export const getUser = user.get;
export const useServices = serviceList.use;
export const getServices = serviceList.get;

export async function fetchUser(): Promise<void> {
  try {
    setUser(await call(accounts.me, { query: { populate: 'avatar' } }));
  } catch {
    console.log('not logged in');
  }
}

export function setUser(next: User): void {
  rememberSession(true);
  user.set(next);
}

export async function fetchServices(): Promise<void> {
  try {
    serviceList.set(await call(services.list));
  } catch (error) {
    console.log('Error fetching service:', error);
  }
}

export function resetSession(): void {
  rememberSession(false);
  user.set(undefined);
  serviceList.set([]);
}

export async function signOut(): Promise<void> {
  await call(accounts.signOut);
  resetSession();
}
