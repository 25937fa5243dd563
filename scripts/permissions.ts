import { readFileSync, writeFileSync } from 'node:fs';
import { callers, verdict } from '../server/testing/permissions.ts';
import { everyRoute } from '../server/testing/routes.ts';

const file = 'docs/operations/permissions.md';

/** The table of who may call what, made of the policy that the server runs by and its tests try. */
export function permissionsTable(): string {
  const rows = everyRoute.map((route) => {
    const cells = callers.map((caller) => {
      const answer = verdict(route, caller);
      return answer === 'yes' ? '✓' : String(answer);
    });
    return `| \`${route.method} ${route.path}\` | ${cells.join(' | ')} |`;
  });
  return `# Who may call what

Made by \`node scripts/permissions.ts\` from the policy in \`server/features/accounts/roles.ts\` and the contracts; \`npm run check\` fails when it is out of date, and a test runs every call as every caller.

- ✓: goes on to what is asked for. 401: nobody is signed in. 403: the role or the scope does not allow it. 404: there is no such workspace for this caller.
- **visitor**: a token that is not one of the API, such as a website visitor's. **suspended**: a person whom the operator has suspended. **stranger**: a person who names a workspace they are not in; in their own workspace they get a 404 for every id of another one, the same as for an id that does not exist.
- **key**: an API key with this one scope; a key never does more than the role of the person who made it. A key may be limited to some bots.
- Some calls ask for more: what weakens an account wants a confirmation of the last ten minutes; only the owner's rights reach the owner; \`renew\` and \`sign-out\` look at the page they come from.

| Call | ${callers.join(' | ')} |
|---|${callers.map(() => ':-:').join('|')}|
${rows.join('\n')}
`;
}

/** A sentence when the file is not what the policy says. */
export function checkPermissions(): string[] {
  return readFileSync(file, 'utf8') === permissionsTable() ? [] : [`${file} is out of date: run node scripts/permissions.ts.`];
}

if (import.meta.main) writeFileSync(file, permissionsTable());
