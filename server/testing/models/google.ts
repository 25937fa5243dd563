// The Gemini API, v1beta, as its reference has it in November 2026 (https://ai.google.dev/api/generate-content,
// /api/models, /gemini-api/docs/function-calling, /gemini-api/docs/thinking).
import { z } from 'zod';
import { data, goodKey, type Scene, type Wire } from './double.ts';

const Part = z.union([
  z.strictObject({ text: z.string(), thought: z.boolean().optional(), thoughtSignature: z.string().optional() }),
  z.strictObject({ inlineData: z.object({ mimeType: z.string(), data: z.string() }) }),
  z.strictObject({
    functionCall: z.object({ id: z.string().optional(), name: z.string(), args: z.record(z.string(), z.unknown()) }),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionResponse: z.object({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
    }),
  }),
]);
/** https://ai.google.dev/gemini-api/docs/thinking: levels since Gemini 3, before it a budget of at least so many tokens. */
const levels: Record<string, string[] | number> = {
  'gemini-4-argon': ['low', 'medium', 'high'],
  'gemini-3.5-flash': ['minimal', 'low', 'medium', 'high'],
  'gemini-2.5-flash': 0,
  'gemini-2.5-pro': 128,
};

const Body = z.object({
  systemInstruction: z.object({ parts: z.array(z.object({ text: z.string() })) }).optional(),
  contents: z.array(z.object({ role: z.enum(['user', 'model']), parts: z.array(Part).min(1) })).min(1),
  generationConfig: z.object({
    maxOutputTokens: z.number().int(),
    thinkingConfig: z
      .object({
        includeThoughts: z.boolean().optional(),
        thinkingBudget: z.number().optional(),
        thinkingLevel: z.string().optional(),
      })
      .optional(),
  }),
  tools: z
    .array(z.object({ functionDeclarations: z.array(z.object({ name: z.string(), description: z.string() })) }))
    .optional(),
});

function frames({
  reasoning = [],
  text = [],
  calls = [],
  tokens = { in: 10, out: 5, cached: 0 },
  finish = 'stop',
  ends,
}: Scene): string[] {
  const parts: object[] = [
    ...reasoning.map((thought) => ({ text: thought, thought: true })),
    ...text.map((piece) => ({ text: piece })),
    // Calls come whole, the first signed.
    ...calls.map(({ id, name, pieces }, at) => ({
      functionCall: { id, name, args: JSON.parse(pieces.join('')) },
      ...(at === 0 && { thoughtSignature: 'signed' }),
    })),
  ];
  const chunk = (content: object[], finishReason?: string, usageMetadata?: object) =>
    data({
      candidates: [{ content: { parts: content, role: 'model' }, index: 0, ...(finishReason && { finishReason }) }],
      ...(usageMetadata && { usageMetadata }),
      modelVersion: 'gemini-2.5-flash',
      responseId: 'r1',
    });
  const finishReason = ends ?? { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }[finish];
  return [
    ...parts.map((part) => chunk([part])),
    chunk([{ text: '' }], finishReason, {
      promptTokenCount: tokens.in,
      candidatesTokenCount: tokens.out - (tokens.thought ?? 0),
      totalTokenCount: tokens.in + tokens.out,
      cachedContentTokenCount: tokens.cached,
      thoughtsTokenCount: tokens.thought ?? 0,
    }),
  ];
}

const status = (code: number) =>
  ({
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
    503: 'UNAVAILABLE',
  })[code] ?? 'INTERNAL';

export const wire: Wire = {
  name: 'google',
  model: 'gemini-2.5-flash',
  thinkers: Object.keys(levels),
  // https://ai.google.dev/api/generate-content#FinishReason
  endings: {
    SAFETY: 'filter',
    RECITATION: 'filter',
    PROHIBITED_CONTENT: 'filter',
    OTHER: 'provider-refused',
    LANGUAGE: 'provider-refused',
    MALFORMED_FUNCTION_CALL: 'provider-refused',
    UNEXPECTED_TOOL_CALL: 'provider-refused',
    MISSING_THOUGHT_SIGNATURE: 'provider-refused',
  },
  lists: ['gemini-2.5-flash', 'gemini-2.5-pro'],
  signature: '"thoughtSignature":"signed"',
  hasBudget: true,
  prefix: '/v1beta',
  isChat: (path) => path.endsWith(':streamGenerateContent'),
  check({ headers, path, query, body }) {
    const bad = {
      code: 400,
      message: 'API key not valid. Please pass a valid API key.',
      status: 'INVALID_ARGUMENT',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
      ],
    };
    if (query.has('key')) return { status: 400, body: this.error(400, 'A key in the address is not taken here') };
    if (headers['x-goog-api-key'] !== goodKey) return { status: 400, body: { error: bad } };
    if (path === '/v1beta/models') return undefined;
    if (query.get('alt') !== 'sse') return { status: 400, body: this.error(400, 'alt=sse') };
    const parsed = Body.safeParse(body);
    if (!parsed.success) return { status: 400, body: this.error(400, z.prettifyError(parsed.error)) };
    const known = levels[/models\/(.+):/.exec(path)?.[1] ?? ''] ?? 0;
    const { thinkingLevel, thinkingBudget } = parsed.data.generationConfig.thinkingConfig ?? {};
    const fits = Array.isArray(known)
      ? thinkingBudget === undefined && (thinkingLevel === undefined || known.includes(thinkingLevel))
      : thinkingLevel === undefined &&
        (thinkingBudget === undefined || (thinkingBudget >= known && thinkingBudget <= 24_576));
    return fits ? undefined : { status: 400, body: this.error(400, 'Thinking level is not supported for this model.') };
  },
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  refusals: [
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'User location is not supported for the API use.',
          status: 'FAILED_PRECONDITION',
        },
      },
      code: 'provider-refused',
    },
    {
      status: 403,
      body: {
        error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' },
      },
      code: 'provider-refused',
    },
    {
      status: 429,
      body: {
        error: {
          code: 429,
          message: 'You exceeded your current quota, please check your plan and billing details.',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
      code: 'provider-busy',
    },
  ],
  frames,
  error: (code, message) => ({ error: { code, message, status: status(code) } }),
  errorFrame: (message) => data({ error: { code: 500, message, status: 'INTERNAL' } }),
  seen(body) {
    const { systemInstruction, contents, tools = [], generationConfig } = Body.parse(body);
    return {
      system: systemInstruction?.parts.map(({ text }) => text).join('') ?? '',
      messages: contents.flatMap(({ role, parts }): ReturnType<Wire['seen']>['messages'] => {
        const results = parts.flatMap((part) =>
          'functionResponse' in part
            ? [{ role: 'tool' as const, text: String(part.functionResponse.response['content']) }]
            : [],
        );
        if (results.length > 0) return results;
        const calls = parts.flatMap((part) =>
          'functionCall' in part ? [{ name: part.functionCall.name, input: part.functionCall.args }] : [],
        );
        const thoughts = parts.flatMap((part) => ('text' in part && part.thought ? [part.text] : []));
        return [
          {
            role: role === 'model' ? 'assistant' : 'user',
            text: parts.flatMap((part) => ('text' in part && !part.thought ? [part.text] : [])).join(''),
            images: parts.flatMap((part) =>
              'inlineData' in part ? [`data:${part.inlineData.mimeType};base64,${part.inlineData.data}`] : [],
            ),
            ...(calls.length > 0 && { calls }),
            ...(thoughts.length > 0 && { thoughts }),
          },
        ];
      }),
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      maxTokens: generationConfig.maxOutputTokens,
      budget: generationConfig.thinkingConfig?.thinkingBudget,
    };
  },
  models({ query }) {
    const model = (id: string, displayName: string, method = 'generateContent') => ({
      name: `models/${id}`,
      displayName,
      version: '001',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: [method, 'countTokens'],
      thinking: true,
    });
    return query.get('pageToken') === 'second'
      ? {
          models: [
            model('gemini-2.5-pro', 'Gemini 2.5 Pro'),
            model('gemini-2.5-flash-image', 'Nano Banana'),
            model('imagen-4.0-generate-001', 'Imagen 4', 'predict'),
          ],
        }
      : {
          models: [
            model('gemini-2.5-flash', 'Gemini 2.5 Flash'),
            model('gemini-embedding-001', 'Gemini Embedding 001', 'embedContent'),
          ],
          nextPageToken: 'second',
        };
  },
};
