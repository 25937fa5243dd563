import { z } from 'zod';
import { absent, describedFunction, notAvailable, reasoningEffort, temperature, topP, unkept } from './openai-parts.ts';

/**
 * OpenAI's Responses, as far as a bot has them and nothing is kept: https://platform.openai.com/docs/api-reference/responses
 * (read in November 2026).
 */
const Part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({ type: z.literal('input_image'), image_url: z.string().max(15_000_000), file_id: absent }),
  z.looseObject({
    type: z.literal('input_file'),
    filename: z.string().max(255).nullish(),
    file_data: z.string().max(15_000_000),
    file_id: absent,
    file_url: absent,
  }),
]);
export type InputPart = z.output<typeof Part>;
const content = z.union([z.string(), z.array(Part).max(50)]);
/** Of anybody but the user, models read words only. */
const words = content.refine(
  (given) => typeof given === 'string' || given.every(({ type }) => type !== 'input_image' && type !== 'input_file'),
  notAvailable,
);

const InputItem = z.discriminatedUnion('type', [
  z.discriminatedUnion('role', [
    z.looseObject({ type: z.literal('message').optional(), role: z.literal('user'), content }),
    z.looseObject({
      type: z.literal('message').optional(),
      role: z.enum(['assistant', 'system', 'developer']),
      content: words,
    }),
  ]),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string().max(200),
    name: z.string().max(64),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string().max(200), output: words }),
  z.looseObject({ type: z.literal('reasoning') }),
  // Thoughts are not asked for again, so who names them by their id lacks nothing.
  z.looseObject({
    type: z.literal('item_reference'),
    id: z.string().refine((id) => id.startsWith('rs_'), 'nothing-kept'),
  }),
]);
export type InputItem = z.output<typeof InputItem>;

const functionName = z.looseObject({ type: z.literal('function'), name: z.string() });

export const ResponsesRequest = z.looseObject({
  /** The uuid of a bot. */
  model: z.string().max(200),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    z
      .array(InputItem)
      .max(500)
      .refine((items) => items.some((item) => 'role' in item && item.role === 'user'), 'required'),
  ),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  temperature,
  top_p: topP,
  parallel_tool_calls: z.boolean().nullish(),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), ...describedFunction }))
    .max(128)
    .nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      functionName,
      z.looseObject({
        type: z.literal('allowed_tools'),
        mode: z.enum(['auto', 'required']),
        tools: z.array(functionName).max(128),
      }),
    ])
    .nullish(),
  text: z
    .looseObject({
      format: z
        .union([
          z.looseObject({ type: z.enum(['text', 'json_object']) }),
          z.looseObject({
            type: z.literal('json_schema'),
            name: z.string().max(64),
            schema: z.record(z.string(), z.unknown()),
            strict: z.boolean().nullish(),
          }),
        ])
        .optional(),
    })
    .nullish(),
  reasoning: z.looseObject({ effort: reasoningEffort }).nullish(),
  previous_response_id: unkept,
  conversation: unkept,
  background: z
    .boolean()
    .refine((isWanted) => !isWanted, 'nothing-kept')
    .nullish(),
  prompt: absent,
});
export type ResponsesRequest = z.output<typeof ResponsesRequest>;

export const Response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number().int(),
  status: z.enum(['completed', 'incomplete', 'in_progress']),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string(), id: z.string() })),
});
