import type { ChatMessage, ChatRequest } from '../../../shared/contracts/openai.ts';
import { ResponsesRequest, type InputItem, type InputPart } from '../../../shared/contracts/openai-responses.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Answered } from '../answers/answered.ts';
import type { SendEvent, Writer } from './answering.ts';
import { listPlaces, unknownFields } from './openai.ts';

/* OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses (read in November 2026). */

/** The same question as a chat completion asks it. */
export function toChatRequest(body: ResponsesRequest): ChatRequest {
  const { instructions, tool_choice: choice, reasoning } = body;
  const allowed = typeof choice === 'object' && choice?.type === 'allowed_tools' ? choice : undefined;
  const names = allowed && new Set(allowed.tools.map(({ name }) => name));
  return {
    model: body.model,
    messages: [
      ...(instructions ? [{ role: 'system' as const, content: instructions }] : []),
      ...toMessages(body.input),
    ],
    stream: body.stream,
    temperature: body.temperature,
    top_p: body.top_p,
    max_completion_tokens: body.max_output_tokens,
    parallel_tool_calls: body.parallel_tool_calls,
    reasoning_effort: reasoning?.effort,
    tools: body.tools
      ?.filter(({ name }) => names?.has(name) ?? true)
      .map(({ type, ...tool }) => ({ type, function: tool })),
    tool_choice: toChoice(choice),
    response_format: toFormat(body.text?.format),
  };
}

function toChoice(choice: ResponsesRequest['tool_choice']): ChatRequest['tool_choice'] {
  if (typeof choice !== 'object' || choice === null) return choice;
  return choice.type === 'allowed_tools' ? choice.mode : { type: 'function', function: { name: choice.name } };
}

type Format = NonNullable<ResponsesRequest['text']>['format'];

function toFormat(format: Format): ChatRequest['response_format'] {
  if (format?.type !== 'json_schema') return format;
  const { name, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, schema, strict } };
}

/** Calls stand in the message of the model that made them; each is an item of its own here. */
function toMessages(items: InputItem[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of items) {
    if (item.type === 'function_call') {
      const call = { id: item.call_id, function: { name: item.name, arguments: item.arguments } };
      const last = messages.at(-1);
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    } else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: textOf(item.output) });
    else if (item.type === undefined || item.type === 'message')
      messages.push(
        item.role === 'user'
          ? { role: 'user', content: toContent(item.content) }
          : { role: item.role, content: textOf(item.content) },
      );
  }
  return messages;
}

const toContent = (content: string | InputPart[]) =>
  typeof content === 'string'
    ? content
    : content.map((part) => {
        if (part.type === 'input_image') return { type: 'image_url' as const, image_url: { url: part.image_url } };
        if (part.type === 'input_file')
          return {
            type: 'file' as const,
            file: { file_data: part.file_data, ...(part.filename && { filename: part.filename }) },
          };
        return { type: 'text' as const, text: wordsOf(part) };
      });

const wordsOf = (part: InputPart): string =>
  part.type === 'refusal' ? part.refusal : 'text' in part && typeof part.text === 'string' ? part.text : '';

const textOf = (content: string | InputPart[]): string =>
  typeof content === 'string' ? content : content.map(wordsOf).filter(Boolean).join('\n');

/** What a caller asks for by name and does not get; `store`, too, where they ask for it. */
export const listUnkept = (body: ResponsesRequest): string[] => [
  ...unknownFields(body, ResponsesRequest),
  ...(body['store'] === true ? ['store'] : []),
];

/** Three events tell again what was asked; what is longer than these characters is left out. */
const maxEchoed = 32_000;
const echo = <T>(value: T, instead: T): T => (JSON.stringify(value).length > maxEchoed ? instead : value);

const headOf = (body: ResponsesRequest) => ({
  id: `resp_${newId()}`,
  object: 'response' as const,
  created_at: Math.floor(Date.now() / 1000),
  model: body.model,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: echo(body.instructions ?? null, null),
  max_output_tokens: body.max_output_tokens ?? null,
  max_tool_calls: null,
  metadata: echo(body['metadata'] ?? {}, {}),
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
  service_tier: 'default',
  store: false,
  temperature: body.temperature ?? null,
  text: echo({ format: { type: 'text' }, ...body.text }, { format: { type: 'text' } }),
  tool_choice: body.tool_choice ?? 'auto',
  tools: echo(body.tools ?? [], []),
  top_p: body.top_p ?? null,
  truncation: 'disabled' as const,
});
type Head = ReturnType<typeof headOf>;

type Item = { type: string; id: string; status: 'in_progress' | 'completed' | 'incomplete' };

const reasoningItem = (id: string, text?: string) => ({
  type: 'reasoning',
  id,
  status: text === undefined ? ('in_progress' as const) : ('completed' as const),
  summary: text === undefined ? [] : [{ type: 'summary_text', text }],
});

const callItem = (id: string, { id: call, name, input }: Answered['calls'][number], isDone: boolean) => ({
  type: 'function_call',
  id,
  status: isDone ? ('completed' as const) : ('in_progress' as const),
  call_id: call,
  name,
  arguments: isDone ? input : '',
});

const outputText = (text: string, annotations: object[] = []) => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
});

const messageItem = (id: string, status: Item['status'], content: object[]) => ({
  type: 'message',
  id,
  status,
  role: 'assistant',
  content,
});

/** Citations as OpenAI tells them of what a model found on the web. */
const annotationsOf = (context: Context, answered: Answered) =>
  listPlaces(context, answered).map((place) => ({ type: 'url_citation', ...place }));

const reasons = { length: 'max_output_tokens', filter: 'content_filter' } as const;

function ended(head: Head, answered: Answered, output: Item[]) {
  const { finish, citations, tokens } = answered;
  const reason = finish === 'length' || finish === 'filter' ? reasons[finish] : undefined;
  return {
    ...head,
    status: reason ? ('incomplete' as const) : ('completed' as const),
    incomplete_details: reason ? { reason } : null,
    output,
    usage: {
      input_tokens: tokens.tokensIn,
      input_tokens_details: { cached_tokens: tokens.tokensCached, cache_write_tokens: 0 },
      output_tokens: tokens.tokensOut,
      // Providers count thoughts among what they put out, most without saying how many.
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens.tokensIn + tokens.tokensOut,
    },
    citations,
  };
}

/** An answer as a response. */
export function toResponse(context: Context, body: ResponsesRequest, answered: Answered) {
  const { text, reasoning, calls } = answered;
  const written = outputText(text, annotationsOf(context, answered));
  return ended(headOf(body), answered, [
    ...(reasoning ? [reasoningItem(`rs_${newId()}`, reasoning)] : []),
    ...(text || calls.length === 0 ? [messageItem(`msg_${newId()}`, 'completed', [written])] : []),
    ...calls.map((call) => callItem(`fc_${newId()}`, call, true)),
  ]);
}

/** The same in events: https://platform.openai.com/docs/api-reference/responses-streaming */
export function writeEvents(context: Context, body: ResponsesRequest, sendEvent: SendEvent): Writer {
  const head = headOf(body);
  const output: Item[] = [];
  let sent = 0;
  let thoughts: { id: string; at: number; text: string } | undefined;
  let message: { id: string; at: number } | undefined;

  const send = (type: string, fields: object, isToldAgain = false) =>
    sendEvent(JSON.stringify({ type, sequence_number: sent++, ...fields }), isToldAgain, type);
  const begin = () => {
    if (sent > 0) return;
    const response = { ...head, status: 'in_progress', output: [] };
    send('response.created', { response });
    send('response.in_progress', { response });
  };
  const add = (item: Item): number => {
    begin();
    const at = output.push(item) - 1;
    send('response.output_item.added', { output_index: at, item });
    return at;
  };
  const finish = (at: number, item: Item) => {
    output[at] = item;
    send('response.output_item.done', { output_index: at, item });
  };
  const endThoughts = () => {
    if (!thoughts) return;
    const { id, at, text } = thoughts;
    const place = { item_id: id, output_index: at, summary_index: 0 };
    send('response.reasoning_summary_text.done', { ...place, text });
    send('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } });
    finish(at, reasoningItem(id, text));
    thoughts = undefined;
  };
  const openMessage = () => {
    if (message) return message;
    endThoughts();
    const id = `msg_${newId()}`;
    message = { id, at: add(messageItem(id, 'in_progress', [])) };
    const place = { item_id: id, output_index: message.at, content_index: 0 };
    send('response.content_part.added', { ...place, part: outputText('') });
    return message;
  };
  return {
    reasoning(delta) {
      if (!thoughts) {
        const id = `rs_${newId()}`;
        thoughts = { id, at: add(reasoningItem(id)), text: '' };
        const place = { item_id: id, output_index: thoughts.at, summary_index: 0 };
        send('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
      }
      thoughts.text += delta;
      const { id, at } = thoughts;
      send('response.reasoning_summary_text.delta', { item_id: id, output_index: at, summary_index: 0, delta }, true);
    },
    text(delta) {
      const { id, at } = openMessage();
      const place = { item_id: id, output_index: at, content_index: 0 };
      send('response.output_text.delta', { ...place, delta, logprobs: [] }, true);
    },
    end(answered) {
      endThoughts();
      const { text, calls } = answered;
      if (message || text || calls.length === 0) {
        const { id, at } = openMessage();
        const place = { item_id: id, output_index: at, content_index: 0 };
        const annotations = annotationsOf(context, answered);
        for (const [annotation_index, annotation] of annotations.entries())
          send('response.output_text.annotation.added', { ...place, annotation_index, annotation });
        const part = outputText(text, annotations);
        send('response.output_text.done', { ...place, text, logprobs: [] });
        send('response.content_part.done', { ...place, part });
        finish(at, messageItem(id, 'completed', [part]));
      }
      for (const call of calls) {
        const id = `fc_${newId()}`;
        const at = add(callItem(id, call, false));
        const place = { item_id: id, output_index: at };
        send('response.function_call_arguments.delta', { ...place, delta: call.input }, true);
        send('response.function_call_arguments.done', { ...place, name: call.name, arguments: call.input });
        finish(at, callItem(id, call, true));
      }
      const response = ended(head, answered, output);
      send(`response.${response.status}`, { response });
    },
    error: (error) => send('error', { code: error.code, message: error.message, param: error.param, error }),
  };
}
