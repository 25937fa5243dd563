export const languages = ['curl', 'javascript', 'python', 'openai'] as const;
export type Language = (typeof languages)[number];

interface Told {
  /** Where the server stands, such as `https://kotae.example`. */
  origin: string;
  /** The call that asks a bot. */
  url: string;
  key: string;
  bot: string;
  question: string;
}

/** A question to a bot in each language with nothing but what it brings along, and by the client that OpenAI gives out. The question may hold no quotes. */
export const writeSnippet: Record<Language, (told: Told) => string> = {
  curl: ({ url, key, bot, question }) => `curl '${url}' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ bot, message: { text: question } })}'`,

  javascript: ({ url, key, bot, question }) => `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    bot: '${bot}',
    message: { text: '${question}' },
  }),
});
const { data, error } = await response.json();
if (error) throw new Error(error.message);
console.log(data.message.text);`,

  python: ({ url, key, bot, question }) => `import json
import urllib.request

request = urllib.request.Request(
    "${url}",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "bot": "${bot}",
        "message": {"text": "${question}"},
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["data"]["message"]["text"])`,

  openai: ({ origin, key, bot, question }) => `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${bot}",
    messages=[{"role": "user", "content": "${question}"}],
)
print(answer.choices[0].message.content)`,
};
