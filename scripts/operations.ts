/** Writes what is made of the code itself: tables of docs/operations, and the example of all settings. npm run operations */
import { readFileSync, writeFileSync } from 'node:fs';
import { everyLimit, everyRoute, everySetting } from '../server/features.ts';
import { mayCall, roles, scopes } from '../shared/roles.ts';
import type { Route } from '../shared/route.ts';

const made = {
  'docs/operations/permissions.md': permissionsTable,
  'docs/operations/limits.md': limitsTable,
  '.env.example': settingsExample,
};

interface CallerKind {
  name: string;
  refusal: 401 | 403 | 404;
  passes(route: Route): boolean;
}

const isOpen = ({ access }: Route) => access === 'anyone';
/** Whoever sends another token than a visitor's is nobody there. */
const isVisitors = ({ access }: Route) => access === 'visitor';

const callers: CallerKind[] = [
  { name: 'anonymous', refusal: 401, passes: isOpen },
  { name: 'visitor', refusal: 401, passes: (route) => isOpen(route) || isVisitors(route) },
  { name: 'suspended', refusal: 401, passes: isOpen },
  { name: 'stranger', refusal: 404, passes: isOpen },
  ...roles.toReversed().map((role): CallerKind => ({
    name: role,
    refusal: 403,
    passes: ({ access }) => mayCall({ role, operator: false }, access),
  })),
  { name: 'operator', refusal: 403, passes: ({ access }) => mayCall({ role: 'owner', operator: true }, access) },
  ...scopes.map((scope): CallerKind => ({
    name: `key: ${scope}`,
    refusal: 403,
    passes: (route) => isOpen(route) || route.scope === scope,
  })),
];

/** The table of who may call what, made of the policy that the server runs by. */
export function permissionsTable(): string {
  const rows = everyRoute.map((route) => {
    const cells = callers.map(({ passes, refusal }) => (passes(route) ? '✓' : isVisitors(route) ? 401 : refusal));
    return `| \`${route.method} ${route.path}\` | ${cells.join(' | ')} |`;
  });
  return `# Who may call what

Made by \`npm run operations\` from the policy in \`shared/roles.ts\` and the contracts; \`npm run check\` fails when it is out of date, and a test runs every call as every caller.

- ✓: goes on to what is asked for. 401: nobody is signed in. 403: the role or the scope does not allow it. 404: there is no such workspace for this caller.
- **visitor**: the token of somebody who came through a website channel; everywhere but in the calls for visitors it is nobody's. **suspended**: a person whom the operator has suspended. **stranger**: a person who names a workspace they are not in; in their own workspace they get a 404 for every id of another one, the same as for an id that does not exist.
- **key**: an API key with this one scope; a key never does more than the role of the person who made it. A key may be limited to some bots.
- Some calls ask for more: what weakens an account wants a confirmation of the last ten minutes; only the owner's rights reach the owner; \`renew\` and \`sign-out\` look at the page they come from.

| Call | ${callers.map(({ name }) => name).join(' | ')} |
|---|${':-:|'.repeat(callers.length)}
${rows.join('\n')}
`;
}

function limitsTable(): string {
  const rows = everyLimit.map(({ name, max, seconds, what }) => `| \`${name}\` | ${what} | ${max} | ${seconds} |`);
  return `# How often what may be tried

Made by \`npm run operations\` from the limits that features declare; \`npm run check\` fails when it is out of date.

Whoever tries more often gets 429 with \`Retry-After\`, and a sentence that says how long to wait. Counts are kept in the process, or in Redis for all processes when there is a \`REDIS_URL\`; while Redis is away each process counts for itself. An address of IPv6 counts as its /64. Behind a proxy, name the proxy's address in \`TRUST_PROXY\`: without it everyone has the address of the proxy, and what \`X-Forwarded-For\` claims counts for nothing.

Beside these, each body has a size (64 KB of JSON from anyone, 1 MB from whoever has signed in, more where a call needs it), bodies above 16 KB may take 64 MB of memory together for one address (429) and 192 MB in all (503), and of a body that is still coming 64 KB have to arrive every 30 seconds (408). The files of a workspace take \`WORKSPACE_STORAGE_MB\` at most.

Change one with \`LIMITS=name=max/seconds\`, several with commas between: \`LIMITS=sign-in=50/300,register=5/3600\`.

| Name | Counts | At most | in seconds |
|---|---|--:|--:|
${rows.join('\n')}
`;
}

function settingsExample(): string {
  const shown = Object.entries(everySetting).map(([name, schema]) => {
    const value = schema.safeParse(undefined).data;
    return `# ${schema.meta()?.['description']}\n# ${name}=${typeof value === 'object' ? '' : (value ?? '')}\n`;
  });
  return `# Every setting of Kotae. All are optional: copy this file to .env and uncomment what you change.

${shown.join('\n')}`;
}

/** A sentence for each file that is not what the code says. */
export const checkOperations = (): string[] =>
  Object.entries(made).flatMap(([file, make]) =>
    readFileSync(file, 'utf8') === make() ? [] : [`${file} is out of date: run npm run operations.`],
  );

if (import.meta.main) for (const [file, make] of Object.entries(made)) writeFileSync(file, make());
