import type { Seen } from './double.ts';

/** A body as OpenAI's chat completions have it, and Cohere after them. */
interface Chat {
  messages: (
    | { role: 'system'; content: string }
    | { role: 'user'; content: string | Part[] }
    | {
        role: 'assistant';
        content?: string | null | undefined;
        tool_calls?: Call[] | undefined;
        reasoning_content?: string | undefined;
        tool_plan?: string | undefined;
      }
    | { role: 'tool'; content: string }
  )[];
  tools?: { function: { name: string } }[] | undefined;
  max_tokens: number;
}
type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
interface Call {
  function: { name: string; arguments: string };
}

export const seenInChat = ({ messages, tools = [], max_tokens }: Chat): Seen => ({
  system: messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join(''),
  messages: messages.flatMap((message): Seen['messages'] => {
    if (message.role === 'system') return [];
    if (message.role === 'tool') return [{ role: 'tool', text: message.content }];
    if (message.role === 'assistant')
      return [
        {
          role: 'assistant',
          text: message.content ?? '',
          ...((message.reasoning_content ?? message.tool_plan) && {
            thoughts: [message.reasoning_content ?? message.tool_plan ?? ''],
          }),
          ...(message.tool_calls && {
            calls: message.tool_calls.map((call) => ({
              name: call.function.name,
              input: JSON.parse(call.function.arguments),
            })),
          }),
        },
      ];
    if (typeof message.content === 'string') return [{ role: 'user', text: message.content }];
    return [
      {
        role: 'user',
        text: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
        images: message.content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : [])),
      },
    ];
  }),
  tools: tools.map(({ function: { name } }) => name),
  maxTokens: max_tokens,
});
