import { accounts, files, security } from '../../shared/contracts/accounts.ts';
import { botGroups, bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { home } from '../../shared/contracts/home.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { openai } from '../../shared/contracts/openai.ts';
import { operator } from '../../shared/contracts/operator.ts';
import { modelKeys, operatorServices, services } from '../../shared/contracts/services.ts';
import { usage } from '../../shared/contracts/usage.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';

/** Every call that the contracts declare. */
export const everyRoute: Route[] = [
  accounts,
  security,
  workspaces,
  keys,
  operator,
  files,
  bots,
  botGroups,
  conversations,
  home,
  knowledge,
  documents,
  services,
  modelKeys,
  operatorServices,
  usage,
  openai,
].flatMap((contract): Route[] => Object.values(contract));
