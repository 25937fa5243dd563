import { accountRoutes } from './features/accounts/accounts.routes.ts';
import { answerRoutes } from './features/answers/answers.routes.ts';
import type { Answers } from './features/answers/answers.ts';
import { botRoutes } from './features/bots/bots.routes.ts';
import { botGroupRoutes } from './features/bots/groups.routes.ts';
import type { Context } from './features/context.ts';
import { fileRoutes } from './features/files/files.routes.ts';
import { homeRoutes } from './features/home/home.routes.ts';
import { keyRoutes } from './features/keys/keys.routes.ts';
import { knowledgeRoutes } from './features/knowledge/knowledge.routes.ts';
import { openAiRoutes } from './features/openai/openai.routes.ts';
import { modelRoutes } from './features/models/models.routes.ts';
import { operatorRoutes } from './features/operator/operator.routes.ts';
import { serviceRoutes } from './features/services/services.routes.ts';
import { systemRoutes } from './features/system/system.routes.ts';
import { usageRoutes } from './features/usage/usage.routes.ts';
import { workspaceRoutes } from './features/workspaces/workspaces.routes.ts';
import type { Http } from './infra/http.ts';

/** Every feature's routes. */
export function addRoutes(app: Http, context: Context, answers: Answers, isStopping: () => boolean): void {
  systemRoutes(app, context, isStopping);
  accountRoutes(app, context);
  workspaceRoutes(app, context);
  keyRoutes(app, context);
  operatorRoutes(app, context);
  fileRoutes(app, context);
  serviceRoutes(app, context);
  modelRoutes(app, context);
  homeRoutes(app, context);
  botRoutes(app, context);
  botGroupRoutes(app, context);
  knowledgeRoutes(app, context);
  answerRoutes(app, context, answers);
  usageRoutes(app, context);
  openAiRoutes(app, context);
}
