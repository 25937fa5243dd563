import { maxTokensOf } from '../../infra/token-estimate.ts';
import type { ModelMessage, ModelRequest } from '../../providers/models/model.ts';
import type { KeptTrace } from './answered.ts';

/** What a vendor counts for a picture or a page, at most about so many tokens. */
const fileTokens = 2_000;
/** What stands around a message. */
const frameTokens = 10;

/** The most tokens that a message may come to, its calls and files included. */
const tokensOf = (message: ModelMessage): number =>
  frameTokens +
  maxTokensOf(message.text) +
  (message.role === 'user' ? (message.files?.length ?? 0) * fileTokens : 0) +
  (message.role === 'assistant'
    ? (message.calls ?? []).reduce((sum, { name, input }) => sum + maxTokensOf(name + input), 0)
    : 0);

type Sent = Pick<ModelRequest, 'messages' | 'tools' | 'json'>;

/** The most tokens that everything of a request may come to: messages, tools, and the form of the answer. */
export const tokensSent = ({ messages, tools, json }: Sent): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0) +
  (tools ? maxTokensOf(JSON.stringify(tools)) : 0) +
  (typeof json === 'object' ? maxTokensOf(JSON.stringify(json)) : 0);

/** Of one answer's prompt, for whoever asks why it is as it is. */
const maxPromptCharacters = 100_000;

/**
 * Leaves out of the history, which follows the instructions, what does not fit into `room` tokens with everything else, and
 * says for the trace what was sent. What tools gave since then is part of everything else.
 */
export function fitMessages(
  request: Sent,
  historyLength: number,
  room: number,
): { messages: ModelMessage[]; trace: Required<Pick<KeptTrace, 'prompt'>> & Pick<KeptTrace, 'omitted'> } {
  const { messages } = request;
  const head = messages.slice(0, 1);
  const history = messages.slice(1, 1 + historyLength);
  const tail = messages.slice(1 + historyLength);
  const kept = fitHistory(history, room - tokensSent({ ...request, messages: [...head, ...tail] }));
  let left = maxPromptCharacters;
  const told = (part: ModelMessage[]) =>
    part.flatMap(({ role, text }) => {
      const shown = text.slice(0, left).toWellFormed();
      left -= shown.length;
      return shown === '' && text !== '' ? [] : [{ role, text: shown }];
    });
  const [first, last] = [told(head), told(tail)];
  return {
    messages: [...head, ...kept, ...tail],
    trace: {
      prompt: [...first, ...told(kept.toReversed()).toReversed(), ...last],
      omitted: history.length - kept.length,
    },
  };
}

/**
 * As much of the conversation as there is room for beside the rest, `room` in tokens: whole turns, each a question with all
 * that answered it, so that no call is without its result. The oldest go first.
 */
function fitHistory(history: ModelMessage[], room: number): ModelMessage[] {
  let left = room;
  let from = history.length;
  for (let at = history.length - 1; at >= 0; at--) {
    const message = history[at]!;
    left -= tokensOf(message);
    if (left < 0) break;
    if (at === 0 || message.role === 'user') from = at;
  }
  return history.slice(from);
}
