import { accounts, files } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { home } from '../../shared/contracts/home.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { services } from '../../shared/contracts/services.ts';
import type { Route } from '../../shared/route.ts';

/** Every call that the contracts declare. */
export const everyRoute: Route[] = [accounts, files, bots, conversations, home, knowledge, documents, services].flatMap((contract): Route[] => Object.values(contract));
