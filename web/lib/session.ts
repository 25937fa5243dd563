import { accounts, type User } from '../../shared/contracts/accounts.ts';
import { services, type Service } from '../../shared/contracts/services.ts';
import { mayCall, type Access } from '../../shared/roles.ts';
import { actIn, call, rememberSession } from './api.ts';
import { changeLocale, toLocale, type Locale } from './i18n.ts';
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
    setUser(await call(accounts.me, { query: { populate: 'avatar' }, anywhere: true }));
    void keepLocale();
  } catch {
    // Whoever is not known, or no longer, is nobody; the app goes on.
    console.log('not logged in');
  }
}

const unsavedKey = 'user-locale-unsaved';

/** At once on the screen, and kept with the account for mails and other devices: by the next page when this one ends before it is. */
export async function chooseLocale(locale: Locale): Promise<void> {
  const chooser = user.get();
  if (chooser) localStorage.setItem(unsavedKey, `${chooser.uuid} ${locale}`);
  await changeLocale(locale);
  await keepLocale();
}

let keeping = Promise.resolve();

/** One after the other, so that of two choices the later one stays. */
const keepLocale = () => (keeping = keeping.then(saveLocale));

async function saveLocale(): Promise<void> {
  const unsaved = localStorage.getItem(unsavedKey);
  const [whose, locale] = unsaved?.split(' ') ?? [];
  if (!whose || whose !== user.get()?.uuid) return;
  try {
    setUser((await call(accounts.update, { body: { locale: toLocale(locale) }, anywhere: true })).data);
    if (localStorage.getItem(unsavedKey) === unsaved) localStorage.removeItem(unsavedKey);
  } catch {
    console.log('the language is kept with the account later');
  }
}

export function setUser(next: User): void {
  rememberSession(true);
  const { workspaces } = next;
  const wanted = workspace.get()?.uuid ?? sessionStorage.getItem(workspaceKey) ?? localStorage.getItem(workspaceKey);
  chooseWorkspace(
    workspaces.find(({ uuid }) => uuid === wanted) ?? workspaces.find(({ personal }) => personal) ?? workspaces[0],
  );
  user.set(next);
}

export type Workspace = User['workspaces'][number];

const workspaceKey = 'workspace';
const workspace = createStore<Workspace | undefined>(undefined);

/** Where everything on the screen happens. Each tab has its own; a new one begins where the last choice was. */
export const useWorkspace = workspace.use;
export const getWorkspace = workspace.get;

export function chooseWorkspace(next: Workspace | undefined): void {
  workspace.set(next);
  actIn(next?.uuid);
  if (!next) return;
  sessionStorage.setItem(workspaceKey, next.uuid);
  localStorage.setItem(workspaceKey, next.uuid);
}

/** Whether the person may do this in the chosen workspace: what is not allowed is not offered. The server decides. */
export const may = (access: Access): boolean => allows(user.get(), workspace.get(), access);

/** The same, kept up to date. */
export const useMay = (access: Access): boolean => allows(useUser(), useWorkspace(), access);

function allows(who: User | undefined, where: Workspace | undefined, access: Access): boolean {
  return who !== undefined && where !== undefined && mayCall({ role: where.role, operator: who.operator }, access);
}

export async function fetchServices(): Promise<void> {
  const asked = workspace.get();
  try {
    const listed = await call(services.list);
    if (workspace.get()?.uuid === asked?.uuid) serviceList.set(listed);
  } catch (error) {
    console.log('Error fetching service:', error);
  }
}

export function resetSession(): void {
  rememberSession(false);
  user.set(undefined);
  workspace.set(undefined);
  actIn(undefined);
  sessionStorage.removeItem(workspaceKey);
  serviceList.set([]);
}

export async function signOut(): Promise<void> {
  await call(accounts.signOut, { anywhere: true });
  resetSession();
}
